-- Every version of an address that came to the lake.
SELECT address_id, address, address2, city, state_province, postal_code, country, last_update
FROM pagila_query
WHERE address_id BETWEEN 100 AND 105
ORDER BY address_id, last_update;

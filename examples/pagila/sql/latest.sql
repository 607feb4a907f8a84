-- The last version of each.
SELECT address_id, address, address2, city, state_province, postal_code, country, last_update
FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY address_id ORDER BY last_update DESC) AS row_num
    FROM pagila_query
) AS versions
WHERE row_num = 1 AND address_id BETWEEN 100 AND 105
ORDER BY address_id;

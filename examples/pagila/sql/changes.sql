-- One address is corrected, one twice, and one moves to a new city of a new country.
UPDATE address SET address = '123 CDC Test Lane' WHERE address_id = 100;

UPDATE address SET address2 = 'Apartment #2201' WHERE address_id = 101;

UPDATE address SET address2 = 'Apartment #2202' WHERE address_id = 101;

INSERT INTO country (country) VALUES ('Wakanda');

INSERT INTO city (city, country_id) SELECT 'Birnin Zana', country_id FROM country WHERE country = 'Wakanda';

UPDATE address SET city_id = 601 WHERE address_id = 102;

UPDATE address SET district = 'Lake Turkana' WHERE address_id = 102;

-- And one goes, which no query over the table can tell afterwards.
DELETE FROM address WHERE address_id = 104;

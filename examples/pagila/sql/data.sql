-- 109 countries, 600 cities and 603 addresses with made-up names. As in Pagila, all rows of a table have one last_update
-- (the hardest case for a connector that goes by time), and the addresses have ids up to 605, without 257 and 518.
INSERT INTO country
SELECT n,
       CASE n WHEN 22 THEN 'Dorvania, The Free Provinces of'
              WHEN 61 THEN 'St. Orrin and the Keys'
              WHEN 107 THEN 'Sunder Islands, U.T.'
              ELSE starts[1 + (n - 1) / 10] || ends[1 + (n - 1) % 10] END,
       '2017-02-15 09:44:00+00'
FROM generate_series(1, 109) AS n,
     (SELECT ARRAY['Al', 'Bre', 'Dor', 'Es', 'Fal', 'Gar', 'Hel', 'Jor', 'Kel', 'Lun', 'Mer'] AS starts,
             ARRAY['mora', 'vania', 'dessa', 'thia', 'nor', 'quista', 'bria', 'sund', 'tova', 'wick'] AS ends) AS parts;

-- Three countries have 60, 53 and 36 cities; the others share the rest.
INSERT INTO city
SELECT n,
       starts[1 + (n - 1) / 24] || ends[1 + (n - 1) % 24],
       CASE WHEN n <= 109 THEN n
            WHEN n <= 168 THEN 44
            WHEN n <= 220 THEN 23
            WHEN n <= 255 THEN 103
            ELSE others[1 + n % 106] END,
       '2017-02-15 09:45:25+00'
FROM generate_series(1, 600) AS n,
     (SELECT ARRAY['Ash', 'Bel', 'Cor', 'Dun', 'Elm', 'Fen', 'Gal', 'Hart', 'Ing', 'Jas', 'Kirk', 'Lang', 'Mar', 'Nor',
                   'Oak', 'Pen', 'Quin', 'Rav', 'Sel', 'Tam', 'Ul', 'Ver', 'Wes', 'Yar', 'Zan'] AS starts,
             ARRAY['aby', 'bourne', 'by', 'caster', 'combe', 'dale', 'don', 'field', 'ford', 'gate', 'ham', 'holm',
                   'hurst', 'ley', 'low', 'mere', 'mouth', 'ness', 'port', 'stead', 'thorpe', 'ton', 'wick', 'worth'] AS ends,
             ARRAY(SELECT i FROM generate_series(1, 109) AS i WHERE i NOT IN (23, 44, 103)) AS others) AS parts;

INSERT INTO address
SELECT id,
       1 + n * 37 % 1999 || ' ' || streets[1 + n % 23] || ' ' || kinds[1 + n % 8],
       CASE WHEN id > 4 THEN '' END,
       districts[1 + n * 5 % 19],
       1 + n * 7 % 600,
       lpad((n * 7919 % 100000)::text, 5, '0'),
       (100000000000 + n * 7368787::bigint * 11317 % 900000000000)::text,
       '2017-02-15 09:45:30+00'
FROM (SELECT id, row_number() OVER (ORDER BY id)::int AS n
      FROM generate_series(1, 605) AS id WHERE id NOT IN (257, 518)) AS ids,
     (SELECT ARRAY['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elder', 'Fir', 'Gorse', 'Hazel', 'Iris', 'Juniper', 'Kestrel',
                   'Linden', 'Maple', 'Nettle', 'Olive', 'Poplar', 'Quince', 'Rowan', 'Sorrel', 'Tansy', 'Umber',
                   'Violet', 'Willow'] AS streets,
             ARRAY['Street', 'Lane', 'Avenue', 'Way', 'Drive', 'Place', 'Loop', 'Parkway'] AS kinds,
             ARRAY['Amber', 'Brook', 'Cliff', 'Delta', 'East', 'Forge', 'Glen', 'Harbour', 'Inner', 'Knoll', 'Lower',
                   'Mill', 'North', 'Outer', 'Quay', 'River', 'South', 'Upper', 'West'] AS districts) AS parts;

SELECT setval('country_country_id_seq', 109), setval('city_city_id_seq', 600), setval('address_address_id_seq', 605);

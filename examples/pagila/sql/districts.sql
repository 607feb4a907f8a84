-- Counts the addresses of each district. The query keeps running and corrects its counts when an address moves or is
-- deleted. --var or --var-file fills in the address of the broker.
CREATE TABLE address (
  address_id INT,
  district STRING,
  PRIMARY KEY (address_id) NOT ENFORCED
) WITH (
  'connector' = 'kafka',
  'topic' = 'pagila.log.public.address',
  'properties.bootstrap.servers' = '${KAFKA_BOOTSTRAP_SERVERS}',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'debezium-json',
  'debezium-json.schema-include' = 'true'
);

CREATE TABLE addresses_per_district (
  district STRING,
  addresses BIGINT,
  PRIMARY KEY (district) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'pagila.districts',
  'properties.bootstrap.servers' = '${KAFKA_BOOTSTRAP_SERVERS}',
  'key.format' = 'json',
  'value.format' = 'json'
);

INSERT INTO addresses_per_district
SELECT district, COUNT(*) AS addresses FROM address GROUP BY district;

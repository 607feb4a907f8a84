-- The topics as tables. --var or --var-file fills in the address of the broker. Each table ends where its topic ends now.
CREATE TABLE address_by_query (
  message_key STRING,
  payload ROW<address_id INT, address2 STRING, city_id INT, message_topic STRING, message_source STRING>
) WITH (
  'connector' = 'kafka',
  'topic' = 'pagila.public.alt.address',
  'properties.bootstrap.servers' = '${KAFKA_BOOTSTRAP_SERVERS}',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'key.format' = 'raw',
  'key.fields' = 'message_key',
  'value.format' = 'json',
  'value.fields-include' = 'EXCEPT_KEY'
);

CREATE TABLE address_by_log (
  address_id INT,
  address STRING,
  address2 STRING,
  district STRING,
  city_id INT,
  PRIMARY KEY (address_id) NOT ENFORCED
) WITH (
  'connector' = 'kafka',
  'topic' = 'pagila.log.public.address',
  'properties.bootstrap.servers' = '${KAFKA_BOOTSTRAP_SERVERS}',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'debezium-json',
  'debezium-json.schema-include' = 'true'
);

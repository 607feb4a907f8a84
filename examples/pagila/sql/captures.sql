-- A key that transforms made, and the columns that they added.
SELECT message_key, payload.message_topic, payload.message_source
FROM address_by_query WHERE payload.address_id = 103;

-- How many addresses there are, after one was deleted.
SELECT 'by query' AS capture, COUNT(DISTINCT payload.address_id) AS addresses FROM address_by_query
UNION ALL
SELECT 'by log' AS capture, COUNT(*) AS addresses FROM address_by_log;

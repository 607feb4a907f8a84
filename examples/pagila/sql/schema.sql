-- Three tables in the shape of Pagila's, with the names of their columns, keys and defaults.
CREATE TABLE country (
    country_id serial PRIMARY KEY,
    country text NOT NULL,
    last_update timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE city (
    city_id serial PRIMARY KEY,
    city text NOT NULL,
    country_id int NOT NULL REFERENCES country,
    last_update timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE address (
    address_id serial PRIMARY KEY,
    address text NOT NULL,
    address2 text,
    district text NOT NULL,
    city_id int NOT NULL REFERENCES city,
    postal_code text,
    phone text NOT NULL,
    last_update timestamptz NOT NULL DEFAULT now()
);

-- Whoever changes a row moves its last_update, by which the connectors find what is new.
CREATE FUNCTION touch_last_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.last_update := now();
    RETURN NEW;
END
$$;

CREATE TRIGGER touch_country BEFORE UPDATE ON country FOR EACH ROW EXECUTE FUNCTION touch_last_update();
CREATE TRIGGER touch_city BEFORE UPDATE ON city FOR EACH ROW EXECUTE FUNCTION touch_last_update();
CREATE TRIGGER touch_address BEFORE UPDATE ON address FOR EACH ROW EXECUTE FUNCTION touch_last_update();

-- The floors of locks in PostgreSQL: one row for each lock name that has guarded something. Do not delete rows.
CREATE TABLE IF NOT EXISTS holdfast_fence (
    name_hash varchar(64) COLLATE "C" PRIMARY KEY, -- SHA-256 of the name in UTF-8, in lower-case hexadecimal digits
    name      text NOT NULL,                       -- the name, for people
    epoch     integer NOT NULL,                    -- of the highest token that was seen
    fence     bigint NOT NULL                      -- the highest token that was seen in that epoch
);

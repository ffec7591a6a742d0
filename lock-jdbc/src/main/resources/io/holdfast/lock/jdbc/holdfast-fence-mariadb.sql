-- The floors of locks in MariaDB or MySQL: one row for each lock name that has guarded something. Do not delete rows.
CREATE TABLE IF NOT EXISTS holdfast_fence (
    name_hash VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY, -- SHA-256 of the name in UTF-8, in lower-case hexadecimal digits
    name      VARCHAR(1024) NOT NULL, -- the name, for people
    epoch     INTEGER NOT NULL,       -- of the highest token that was seen
    fence     BIGINT NOT NULL         -- the highest token that was seen in that epoch
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

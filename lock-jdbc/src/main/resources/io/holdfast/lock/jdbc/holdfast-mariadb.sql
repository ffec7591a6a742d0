-- The table of locks in MariaDB 10.6 or newer, or MySQL 8.0 or newer. All times are in UTC.
CREATE TABLE IF NOT EXISTS holdfast_lock (
    name_hash   VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY, -- SHA-256 of the name in UTF-8, in lower-case hexadecimal digits
    name        VARCHAR(1024) NOT NULL,                                -- the name, for people
    claim_id    VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- whose lock it is
    token       BIGINT NOT NULL,                                       -- the first fencing token of the grant
    version     BIGINT NOT NULL,                                       -- changes with every write, and never comes back after a deletion
    owner_id    TEXT NOT NULL,
    host        TEXT NOT NULL,
    pid         BIGINT NOT NULL,
    thread      TEXT NOT NULL,
    acquired_at DATETIME(6) NOT NULL,
    expires_at  DATETIME(6) NOT NULL                                   -- the lease ends then, by the database's clock
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- The first attempts add up to 256 rows with keys from #00 to #ff. They are no locks: each has the highest token that was reserved for the names whose
-- hash begins with these digits.

-- The table of locks in H2 2.3.232 or newer. With another name of the table, the table of the token is named after it.
CREATE TABLE IF NOT EXISTS holdfast_lock (
    name_hash   VARCHAR(64) PRIMARY KEY, -- SHA-256 of the name in UTF-8, in lower-case hexadecimal digits
    name        VARCHAR NOT NULL,        -- the name, for people
    claim_id    VARCHAR(64) NOT NULL,    -- whose lock it is
    token       BIGINT NOT NULL,         -- the first fencing token of the grant
    version     BIGINT NOT NULL,         -- changes with every write, and never comes back after a deletion
    owner_id    VARCHAR NOT NULL,
    host        VARCHAR NOT NULL,
    pid         BIGINT NOT NULL,
    thread      VARCHAR NOT NULL,
    acquired_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    expires_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL -- the lease ends then, by the database's clock
);

-- One row: the highest token that was reserved so far. A row and no sequence, because a grant keeps it locked until it is written.
CREATE TABLE IF NOT EXISTS holdfast_lock_token (
    id    INTEGER PRIMARY KEY,
    token BIGINT NOT NULL
);

INSERT INTO holdfast_lock_token (id, token)
SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM holdfast_lock_token);

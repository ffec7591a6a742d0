-- The table of locks in PostgreSQL 12 or newer. With another name of the table, the sequence is named after it.
CREATE TABLE IF NOT EXISTS holdfast_lock (
    name_hash   varchar(64) COLLATE "C" PRIMARY KEY, -- SHA-256 of the name in UTF-8, in lower-case hexadecimal digits
    name        text NOT NULL,                       -- the name, for people
    claim_id    varchar(64) NOT NULL,                -- whose lock it is
    token       bigint NOT NULL,                     -- the first fencing token of the grant
    version     bigint NOT NULL,                     -- changes with every write, and never comes back after a deletion
    owner_id    text NOT NULL,
    host        text NOT NULL,
    pid         bigint NOT NULL,
    thread      text NOT NULL,
    acquired_at timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,                -- the lease ends then, by the database's clock
    waited      boolean NOT NULL DEFAULT false       -- somebody waits for a message about the release
);

-- Each number stands for 1,024 tokens. No cache: a session that had numbers in stock would grant with smaller tokens later.
CREATE SEQUENCE IF NOT EXISTS holdfast_lock_token AS bigint CACHE 1 NO CYCLE;

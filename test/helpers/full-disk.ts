import type { Database } from "../../src/store/database.ts";

export interface FullDisk {
  fill(): Promise<void>;
  empty(): Promise<void>;
  /** How many statements were refused. */
  refusals(): Promise<number>;
}

/**
 * Simulates a full disk of the database: every statement that writes to one of our tables is refused with the
 * server's own error code.
 */
export async function createFullDisk(
  database: Database,
  schemas = ["postroom", "pgboss", "bo_airflow", "public"],
): Promise<FullDisk> {
  await database.query(`
    CREATE SCHEMA full_disk;
    CREATE TABLE full_disk.now (is_full boolean NOT NULL);
    INSERT INTO full_disk.now VALUES (false);
    -- Unlike a row, a sequence keeps what a refused statement counted.
    CREATE SEQUENCE full_disk.refused MINVALUE 0 START 0;
    CREATE FUNCTION full_disk.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT is_full FROM full_disk.now) THEN
        PERFORM nextval('full_disk.refused');
        RAISE 'could not extend file "base/1/1": No space left on device' USING ERRCODE = 'disk_full';
      END IF;
      RETURN NULL; END $$`);
  await database.query(
    `DO $$ DECLARE t regclass; BEGIN
       FOR t IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p')
                   AND relnamespace::regnamespace::text = ANY('{${schemas.join(",")}}') LOOP
         EXECUTE format('CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON %s EXECUTE FUNCTION full_disk.refuse()', t);
       END LOOP; END $$`,
  );
  const set = (isFull: boolean) =>
    database.query("UPDATE full_disk.now SET is_full = $1", [isFull]);
  return {
    fill: async () => void (await set(true)),
    empty: async () => void (await set(false)),
    async refusals() {
      const sql = "SELECT last_value + is_called::int AS n FROM full_disk.refused";
      return (await database.query<{ n: number }>(sql)).rows[0]!.n;
    },
  };
}

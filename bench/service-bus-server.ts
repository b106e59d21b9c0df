/** The tenant's Service Bus in a separate process; prints its connection string. */
import { createTenant } from "../tenant/index.ts";

const tenant = await createTenant({ company: "none" });
process.stdout.write(`${tenant.addresses.serviceBus}\n`);

/** Matters of the sample company, to which the pane of Outlook can save. */
import type { App } from "../../app.ts";
import { uuidFor } from "../../lib/hash.ts";

const MATTERS = [
  { sprk_name: "Harbour warehouse", sprk_number: "M-2026-001" },
  { sprk_name: "Counsel's fees 2026", sprk_number: "M-2026-002" },
  { sprk_name: "Brown v. Smith", sprk_number: "M-2025-117" },
];

/** Creates them and lets everybody save to them, as an administrator would. */
export async function offerMatters(
  { documents }: Pick<App, "documents">,
  people: readonly { readonly id: string }[],
): Promise<void> {
  if (documents === null) return;
  const { dataverse } = documents.actors.app;
  const wanted = new Set(people.map(({ id }) => id));
  const users = await dataverse.list<{
    systemuserid: string;
    azureactivedirectoryobjectid: string;
  }>("systemusers?$select=systemuserid,azureactivedirectoryobjectid");
  const known = users.filter((user) => wanted.has(user.azureactivedirectoryobjectid));
  for (const matter of MATTERS) {
    const id = uuidFor("sample matter", matter.sprk_number);
    await dataverse.upsert("sprk_matters", id, matter);
    for (const { systemuserid } of known)
      await dataverse.call({
        method: "POST",
        path: "GrantAccess",
        body: {
          Target: { sprk_matterid: id, "@odata.type": "Microsoft.Dynamics.CRM.sprk_matter" },
          PrincipalAccess: {
            Principal: { systemuserid, "@odata.type": "Microsoft.Dynamics.CRM.systemuser" },
            AccessMask: "ReadAccess,AppendToAccess",
          },
        },
      });
  }
}

import type { AppRegistration, User } from "../context.ts";
import type { Random } from "../random.ts";

export const COMPANY_DOMAIN = "ashdown.example";

/** People of a small asset manager. The last one has an account but no licence, and therefore no mailbox. */
const PEOPLE = [
  { name: "operations", display: "Ashdown Operations", hasMailbox: true },
  { name: "nina.berg", display: "Nina Berg", hasMailbox: true },
  { name: "omar.haddad", display: "Omar Haddad", hasMailbox: true },
  { name: "priya.nair", display: "Priya Nair", hasMailbox: true },
  { name: "tomas.lindqvist", display: "Tomas Lindqvist", hasMailbox: true },
  { name: "settlements", display: "Ashdown Settlements", hasMailbox: true },
  { name: "lobby.kiosk", display: "Lobby Kiosk", hasMailbox: false },
] as const;

const GRAPH_APP_ROLES = [
  "Mail.Read",
  "Mail.ReadWrite",
  "Mail.Send",
  "MailboxSettings.Read",
  "User.Read.All",
  "Files.ReadWrite.All",
  "Sites.ReadWrite.All",
  "FileStorageContainer.Selected",
  "Application.Read.All",
  "AppRoleAssignment.ReadWrite.All",
];
const GRAPH_DELEGATED = [
  "User.Read",
  "Mail.Read",
  "Mail.ReadWrite",
  "Mail.Send",
  "Files.ReadWrite.All",
  "FileStorageContainer.Selected",
];

export function createPeople(random: Random): User[] {
  return PEOPLE.map(({ name, display, hasMailbox }) => ({
    id: random.fork(`user/${name}`).uuid(),
    userPrincipalName: `${name}@${COMPANY_DOMAIN}`,
    displayName: display,
    mail: `${name}@${COMPANY_DOMAIN}`,
    password: "Passw0rd!",
    hasMailbox,
  }));
}

/**
 * The three registrations of a typical setup: a daemon, the API it serves, and the web page that people open.
 */
export function createApps(random: Random): AppRegistration[] {
  const draw = (name: string) => random.fork(`app/${name}`);
  const apiId = draw("api").uuid();
  const secretOf = (name: string) => `${draw(`${name}/secret`).bytes(24).toString("base64url")}~`;
  const identity = (name: string, displayName: string) => ({
    appId: name === "api" ? apiId : draw(name).uuid(),
    displayName,
    servicePrincipalId: draw(`${name}/principal`).uuid(),
  });
  const daemon: AppRegistration = {
    ...identity("daemon", "Postroom"),
    secrets: [secretOf("daemon")],
    expiredSecrets: [secretOf("daemon/old")],
    certificates: [],
    appRoles: [...GRAPH_APP_ROLES],
    delegatedScopes: [...GRAPH_DELEGATED, "user_impersonation"],
    redirectUris: ["localhost", "127.0.0.1"].map((host) => `http://${host}:8010/mailbox-connected`),
    accessTokenVersion: null,
  };
  const api: AppRegistration = {
    ...identity("api", "Postroom API"),
    secrets: [secretOf("api")],
    certificates: [],
    appRoles: [...GRAPH_APP_ROLES],
    delegatedScopes: [...GRAPH_DELEGATED, "user_impersonation"],
    exposedScopes: ["user_impersonation"],
    identifierUris: [`api://${apiId}`],
    redirectUris: [],
    accessTokenVersion: 2,
  };
  const page: AppRegistration = {
    ...identity("page", "Postroom Console"),
    secrets: [],
    appRoles: [],
    delegatedScopes: ["User.Read", `${apiId}/user_impersonation`],
    redirectUris: ["localhost", "127.0.0.1"].map((host) => `http://${host}:8010/signed-in`),
    accessTokenVersion: null,
  };
  return [daemon, api, page];
}

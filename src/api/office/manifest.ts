/** The add-in's two manifests: the unified one for new Outlook and Microsoft 365, the XML one for everything else. */
import { uuidFor } from "../../lib/hash.ts";
import { VERSION } from "../../lib/version.ts";

export interface ManifestFacts {
  /** `https://postroom.example.com`. */
  readonly origin: string;
  /** The registration that people sign in to, and its API; null if none is set. */
  readonly identity: { readonly clientId: string; readonly apiAppId: string } | null;
}

const NAME = "Postroom";
const DESCRIPTION = "Saves mail, attachments and documents to matters and projects.";
const GERMAN = "In Postroom ablegen";
const ENGLISH = "Save to Postroom";

/** The same server always has the same id, so that an update replaces the add-in. */
const idOf = (origin: string): string => uuidFor("postroom add-in", origin);

/** Office wants four numbers. */
const version = `${VERSION.split("-")[0]}.0`;

export function unifiedManifest({ origin, identity }: ManifestFacts): object {
  const page = `${origin}/addin/index.html`;
  const icons = [16, 32, 80].map((size) => ({ size, url: `${origin}/addin/icon-${size}.png` }));
  const runtime = {
    id: "pane",
    type: "general",
    code: { page },
    lifetime: "short",
    actions: [{ id: "showPane", type: "openPage", pinnable: true, view: "pane" }],
  };
  const control = {
    id: "save",
    type: "button",
    label: ENGLISH,
    icons,
    supertip: { title: ENGLISH, description: DESCRIPTION },
    actionId: "showPane",
  };
  const ribbon = {
    contexts: ["mailRead", "mailCompose", "default"],
    tabs: [
      {
        builtInTabId: "TabDefault",
        groups: [{ id: "postroom", label: NAME, icons, controls: [control] }],
      },
    ],
  };
  return {
    $schema: "https://developer.microsoft.com/json-schemas/teams/v1.17/MicrosoftTeams.schema.json",
    manifestVersion: "1.17",
    id: idOf(origin),
    version: VERSION.split("-")[0],
    name: { short: NAME, full: ENGLISH },
    description: { short: DESCRIPTION, full: DESCRIPTION },
    developer: {
      name: NAME,
      websiteUrl: origin,
      privacyUrl: origin,
      termsOfUseUrl: origin,
    },
    icons: { color: "icon-192.png", outline: "icon-32.png" },
    accentColor: "#3562DB",
    localizationInfo: { defaultLanguageTag: "en" },
    validDomains: [new URL(origin).host],
    ...(identity === null
      ? {}
      : { webApplicationInfo: { id: identity.clientId, resource: `api://${identity.apiAppId}` } }),
    authorization: {
      permissions: {
        resourceSpecific: [
          { name: "MailboxItem.ReadWrite.User", type: "Delegated" },
          { name: "Document.Read.User", type: "Delegated" },
        ],
      },
    },
    extensions: [
      {
        requirements: { scopes: ["mail", "document", "workbook", "presentation"] },
        runtimes: [runtime],
        ribbons: [ribbon],
      },
    ],
  };
}

/** Outlook and the documents need two files, because an XML manifest is of one type. */
export function mailManifest(facts: ManifestFacts): string {
  const { origin } = facts;
  const command = (point: string) => `
          <ExtensionPoint xsi:type="${point}">
            <OfficeTab id="TabDefault">
              <Group id="postroom.${point}">
                <Label resid="name"/>
                ${button(point)}
              </Group>
            </OfficeTab>
          </ExtensionPoint>`;
  const form = (kind: string) => `
    <Form xsi:type="${kind}">
      <DesktopSettings><SourceLocation DefaultValue="${origin}/addin/index.html"/>${
        kind === "ItemRead" ? "<RequestedHeight>450</RequestedHeight>" : ""
      }</DesktopSettings>
    </Form>`;
  return `${head(facts, "MailApp", "mail")}
  <Hosts><Host Name="Mailbox"/></Hosts>
  <Requirements><Sets><Set Name="Mailbox" MinVersion="1.8"/></Sets></Requirements>
  <FormSettings>${form("ItemRead")}${form("ItemEdit")}
  </FormSettings>
  <Permissions>ReadWriteItem</Permissions>
  <Rule xsi:type="RuleCollection" Mode="Or">
    <Rule xsi:type="ItemIs" ItemType="Message" FormType="ReadOrEdit"/>
  </Rule>
  <VersionOverrides xmlns="http://schemas.microsoft.com/office/mailappversionoverrides" xsi:type="VersionOverridesV1_0">
    <VersionOverrides xmlns="http://schemas.microsoft.com/office/mailappversionoverrides/1.1" xsi:type="VersionOverridesV1_1">
      <Requirements>
        <bt:Sets DefaultMinVersion="1.8"><bt:Set Name="Mailbox"/></bt:Sets>
      </Requirements>
      <Hosts>
        <Host xsi:type="MailHost">
          <DesktopFormFactor>${command("MessageReadCommandSurface")}${command("MessageComposeCommandSurface")}
          </DesktopFormFactor>
        </Host>
      </Hosts>
      ${resources(origin)}
    </VersionOverrides>
  </VersionOverrides>
</OfficeApp>
`;
}

export function documentManifest(facts: ManifestFacts): string {
  const { origin } = facts;
  const hosts = ["Document", "Workbook", "Presentation"];
  const host = (name: string) => `
      <Host xsi:type="${name}">
        <DesktopFormFactor>
          <GetStarted><Title resid="name"/><Description resid="description"/><LearnMoreUrl resid="pane"/></GetStarted>
          <ExtensionPoint xsi:type="PrimaryCommandSurface">
            <OfficeTab id="TabHome">
              <Group id="postroom.${name}">
                <Label resid="name"/>
                ${icon()}
                ${button(name)}
              </Group>
            </OfficeTab>
          </ExtensionPoint>
        </DesktopFormFactor>
      </Host>`;
  return `${head(facts, "TaskPaneApp", "document")}
  <Hosts>${hosts.map((name) => `<Host Name="${name}"/>`).join("")}</Hosts>
  <DefaultSettings><SourceLocation DefaultValue="${origin}/addin/index.html"/></DefaultSettings>
  <Permissions>ReadDocument</Permissions>
  <VersionOverrides xmlns="http://schemas.microsoft.com/office/taskpaneappversionoverrides" xsi:type="VersionOverridesV1_0">
    <Hosts>${hosts.map(host).join("")}
    </Hosts>
    ${resources(origin)}
  </VersionOverrides>
</OfficeApp>
`;
}

function head({ origin }: ManifestFacts, type: string, kind: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OfficeApp xmlns="http://schemas.microsoft.com/office/appforoffice/1.1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:bt="http://schemas.microsoft.com/office/officeappbasictypes/1.0" xsi:type="${type}">
  <Id>${idOf(`${origin} ${kind}`)}</Id>
  <Version>${version}</Version>
  <ProviderName>${NAME}</ProviderName>
  <DefaultLocale>en-US</DefaultLocale>
  <DisplayName DefaultValue="${NAME}"/>
  <Description DefaultValue="${DESCRIPTION}"/>
  <IconUrl DefaultValue="${origin}/addin/icon-64.png"/>
  <HighResolutionIconUrl DefaultValue="${origin}/addin/icon-128.png"/>
  <SupportUrl DefaultValue="${origin}/"/>
  <AppDomains><AppDomain>${origin}</AppDomain></AppDomains>`;
}

const icon = (): string =>
  `<Icon>${[16, 32, 80].map((size) => `<bt:Image size="${size}" resid="icon.${size}"/>`).join("")}</Icon>`;

const button = (id: string): string => `<Control xsi:type="Button" id="postroom.save.${id}">
                  <Label resid="save"/>
                  <Supertip><Title resid="save"/><Description resid="description"/></Supertip>
                  ${icon()}
                  <Action xsi:type="ShowTaskpane"><SourceLocation resid="pane"/></Action>
                </Control>`;

const resources = (origin: string): string => `<Resources>
        <bt:Images>${[16, 32, 80]
          .map(
            (size) => `
          <bt:Image id="icon.${size}" DefaultValue="${origin}/addin/icon-${size}.png"/>`,
          )
          .join("")}
        </bt:Images>
        <bt:Urls><bt:Url id="pane" DefaultValue="${origin}/addin/index.html"/></bt:Urls>
        <bt:ShortStrings>
          <bt:String id="name" DefaultValue="${NAME}"/>
          <bt:String id="save" DefaultValue="${ENGLISH}"><bt:Override Locale="de-DE" Value="${GERMAN}"/></bt:String>
        </bt:ShortStrings>
        <bt:LongStrings><bt:String id="description" DefaultValue="${DESCRIPTION}"/></bt:LongStrings>
      </Resources>`;

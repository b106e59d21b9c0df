/**
 * The members that Office.js documents for the objects that are played here. The stand-in throws on any other name, so
 * that a misspelt or invented member fails here and not first in Outlook.
 */
const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const MEMBERS = {
  Office: names(
    "onReady initialize context CoercionType FileType EventType AsyncResultStatus HostType PlatformType MailboxEnums actions addin auth ribbon select",
  ),
  context: names(
    "auth commerceAllowed contentLanguage diagnostics displayLanguage document host isDialog license mailbox officeTheme partitionKey platform requirements roamingSettings sensitivityLabelsCatalog themeInfo touchEnabled ui urls",
  ),
  requirements: names("isSetSupported"),
  mailbox: names(
    "addHandlerAsync convertToEwsId convertToLocalClientTime convertToRestId convertToUtcClientTime diagnostics displayAppointmentForm displayAppointmentFormAsync displayMessageForm displayMessageFormAsync displayNewAppointmentForm displayNewAppointmentFormAsync displayNewMessageForm displayNewMessageFormAsync ewsUrl getCallbackTokenAsync getIsIdentityManaged getSelectedItemsAsync getUserIdentityTokenAsync isOpenedFromShared item loadItemByIdAsync makeEwsRequestAsync masterCategories removeHandlerAsync restUrl userProfile",
  ),
  item: names(
    "addHandlerAsync attachments body categories cc conversationId dateTimeCreated dateTimeModified display displayReplyAllForm displayReplyAllFormAsync displayReplyForm displayReplyFormAsync end from getAllInternetHeadersAsync getAsFileAsync getAttachmentContentAsync getEntities getEntitiesByType getFilteredEntitiesByName getInitializationContextAsync getItemIdAsync getRegExMatches getRegExMatchesByName getSelectedEntities getSelectedRegExMatches getSharedPropertiesAsync inReplyTo internetMessageId isClientSignatureEnabledAsync itemClass itemId itemType loadCustomPropertiesAsync location normalizedSubject notificationMessages recurrence removeHandlerAsync sender seriesId start subject to unloadAsync",
  ),
  body: names("getAsync getTypeAsync"),
} as const;

/** The object, but a name that Office.js does not have is an error. */
export function strict<T extends object>(kind: keyof typeof MEMBERS, object: T): T {
  return new Proxy(object, {
    get(target, name, receiver) {
      if (typeof name === "string" && !MEMBERS[kind].has(name) && name !== "then")
        throw new TypeError(`Office.js has no member ${name} of ${kind}`);
      return Reflect.get(target, name, receiver);
    },
    has: (target, name) => {
      if (typeof name === "string" && !MEMBERS[kind].has(name) && name !== "getAsync")
        throw new TypeError(`Office.js has no member ${name} of ${kind}`);
      return Reflect.has(target, name);
    },
  });
}

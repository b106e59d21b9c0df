/** Tables that every environment has, as far as mail and webhooks need them. */
import {
  type Column,
  choice,
  date,
  guid,
  lookup,
  lookupAny,
  memo,
  table,
  text,
  whole,
  yesNo,
} from "./schema.ts";

const PROCESSING: Column = choice({
  100000000: "In Progress",
  100000001: "Completed",
  100000002: "Failed",
});

/** What an activity can be about. */
function regarding(activity: string, tables: readonly string[]): Column {
  return lookupAny(
    tables.map((target) => ({
      table: target,
      navigation: `regardingobjectid_${target}_${activity}`,
      relationship: `${target}_${activity}s`,
      collection: `${target}_${activity}s`,
    })),
  );
}

export const STANDARD_TABLES = [
  table("organization", { name: text(160) }, { objectTypeCode: 1019, displayName: "Organization" }),
  table("businessunit", { name: text(160) }, { objectTypeCode: 10, displayName: "BusinessUnit" }),
  table(
    "systemuser",
    {
      fullname: text(200),
      internalemailaddress: text(100),
      domainname: text(1024),
      azureactivedirectoryobjectid: guid,
      applicationid: guid,
      isdisabled: yesNo,
      businessunitid: lookup("businessunit", "businessunitid", "business_unit_system_users"),
    },
    {
      objectTypeCode: 8,
      primaryName: "fullname",
      displayName: "SystemUser",
      keys: [{ name: "aadobjectid_key", columns: ["azureactivedirectoryobjectid"] }],
    },
  ),
  table(
    "account",
    {
      name: text(160),
      accountnumber: text(20),
      emailaddress1: text(100),
      telephone1: text(50),
      websiteurl: text(200),
      description: memo(2000),
      sprk_containerid: text(1000),
      primarycontactid: lookup("contact", "primarycontactid", "account_primary_contact"),
    },
    { objectTypeCode: 1, displayName: "Account" },
  ),
  table(
    "contact",
    {
      firstname: text(50),
      lastname: text(50),
      fullname: text(160),
      emailaddress1: text(100),
      telephone1: text(50),
      jobtitle: text(100),
      sprk_containerid: text(1000),
      parentcustomerid: lookupAny([
        {
          table: "account",
          navigation: "parentcustomerid_account",
          relationship: "contact_customer_accounts",
          collection: "contact_customer_accounts",
        },
        {
          table: "contact",
          navigation: "parentcustomerid_contact",
          relationship: "contact_customer_contacts",
          collection: "contact_customer_contacts",
        },
      ]),
    },
    { objectTypeCode: 2, primaryName: "fullname", displayName: "Contact" },
  ),
  table(
    "email",
    {
      subject: text(800),
      description: memo(),
      sender: text(250),
      submittedby: text(250),
      torecipients: text(500),
      directioncode: yesNo,
      messageid: text(320),
      inreplyto: text(320),
      trackingtoken: text(50),
      conversationindex: text(2048),
      mimetype: text(256),
      attachmentcount: whole(0),
      actualstart: date,
      actualend: date,
      senton: date,
      scheduledend: date,
      prioritycode: choice({ 0: "Low", 1: "Normal", 2: "High" }, 1),
      statecode: {
        type: "state",
        options: { 0: "Open", 1: "Completed", 2: "Canceled" },
        initial: 0,
      },
      statuscode: {
        type: "status",
        options: {
          1: "Draft",
          2: "Completed",
          3: "Sent",
          4: "Received",
          5: "Canceled",
          6: "Pending Send",
          7: "Sending",
          8: "Failed",
        },
        initial: 1,
      },
      sprk_documentprocessingstatus: PROCESSING,
      regardingobjectid: regarding("email", [
        "account",
        "contact",
        "sprk_matter",
        "sprk_project",
        "sprk_event",
        "sprk_invoice",
      ]),
    },
    { objectTypeCode: 4202, primaryId: "activityid", primaryName: "subject", displayName: "Email" },
  ),
  table(
    "activityparty",
    {
      addressused: text(320),
      participationtypemask: choice({
        1: "Sender",
        2: "To Recipient",
        3: "CC Recipient",
        4: "BCC Recipient",
        8: "Regarding",
        9: "Owner",
      }),
      activityid: lookupAny([
        {
          table: "email",
          navigation: "activityid_email",
          relationship: "email_activity_parties",
          collection: "email_activity_parties",
        },
      ]),
      partyid: lookupAny(
        ["account", "contact", "systemuser"].map((target) => ({
          table: target,
          navigation: `partyid_${target}`,
          relationship: `${target}_activity_parties`,
          collection: `${target}_activity_parties`,
        })),
      ),
    },
    {
      setName: "activityparties",
      objectTypeCode: 135,
      primaryName: "addressused",
      displayName: "ActivityParty",
    },
  ),
  table(
    "activitymimeattachment",
    {
      filename: text(255),
      mimetype: text(256),
      subject: text(2000),
      body: memo(1_073_741_823),
      filesize: { type: "int", readOnly: true },
      attachmentnumber: whole(0),
      objecttypecode: text(64),
      objectid: lookupAny([
        {
          table: "email",
          navigation: "objectid_email",
          relationship: "email_activity_mime_attachment",
          collection: "email_activity_mime_attachment",
        },
      ]),
    },
    { objectTypeCode: 1001, primaryName: "filename", displayName: "ActivityMimeAttachment" },
  ),
  table(
    "serviceendpoint",
    {
      name: text(160),
      description: text(200),
      contract: choice({ 1: "OneWay", 2: "Queue", 3: "Rest", 4: "TwoWay", 8: "Webhook" }),
      authtype: choice({ 4: "WebhookKey", 5: "HttpHeader", 6: "HttpQueryString" }),
      url: text(2000),
      authvalue: text(2048),
    },
    { objectTypeCode: 4618, displayName: "ServiceEndpoint" },
  ),
  table("sdkmessage", { name: text(256) }, { objectTypeCode: 4606, displayName: "SdkMessage" }),
  table(
    "sdkmessagefilter",
    {
      name: text(256),
      primaryobjecttypecode: text(64),
      sdkmessageid: lookup("sdkmessage", "sdkmessageid", "sdkmessageid_sdkmessagefilter"),
    },
    { objectTypeCode: 4607, displayName: "SdkMessageFilter" },
  ),
  table(
    "sdkmessageprocessingstep",
    {
      name: text(256),
      description: text(256),
      stage: choice({ 10: "Pre-validation", 20: "Pre-operation", 40: "Post-operation" }),
      mode: choice({ 0: "Synchronous", 1: "Asynchronous" }, 1),
      rank: whole(),
      filteringattributes: text(100_000),
      asyncautodelete: yesNo,
      supporteddeployment: whole(),
      sdkmessageid: lookup("sdkmessage", "sdkmessageid", "sdkmessageid_sdkmessageprocessingstep"),
      sdkmessagefilterid: lookup(
        "sdkmessagefilter",
        "sdkmessagefilterid",
        "sdkmessagefilterid_sdkmessageprocessingstep",
      ),
      eventhandler: lookupAny([
        {
          table: "serviceendpoint",
          navigation: "eventhandler_serviceendpoint",
          relationship: "serviceendpoint_sdkmessageprocessingstep",
          collection: "serviceendpoint_sdkmessageprocessingstep",
        },
      ]),
    },
    { objectTypeCode: 4608, displayName: "SdkMessageProcessingStep" },
  ),
  table(
    "sdkmessageprocessingstepimage",
    {
      name: text(256),
      entityalias: text(256),
      imagetype: choice({ 0: "PreImage", 1: "PostImage", 2: "Both" }),
      attributes: text(100_000),
      messagepropertyname: text(256),
      sdkmessageprocessingstepid: lookup(
        "sdkmessageprocessingstep",
        "sdkmessageprocessingstepid",
        "sdkmessageprocessingstepid_sdkmessageprocessingstepimage",
      ),
    },
    { objectTypeCode: 4615, displayName: "SdkMessageProcessingStepImage" },
  ),
  table(
    "asyncoperation",
    {
      name: text(256),
      message: memo(),
      messagename: text(160),
      friendlymessage: memo(),
      errorcode: whole(),
      startedon: date,
      completedon: date,
      primaryentitytype: text(128),
      regardingobjectid: text(64),
      statuscode: {
        type: "status",
        options: {
          0: "Waiting For Resources",
          10: "Waiting",
          20: "In Progress",
          30: "Succeeded",
          31: "Failed",
          32: "Canceled",
        },
        initial: 20,
      },
    },
    { objectTypeCode: 4700, displayName: "AsyncOperation" },
  ),
];

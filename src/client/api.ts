/** Generated from /api/openapi.json by `npm run client`; do not edit. */
export interface paths {
    "/api/console/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the console signs people in */
        get: operations["getConsoleSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who the caller is */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/sample-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A token of a sample person; only with the local tenant, and only from this machine */
        post: operations["createSampleToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The local tenant: clock, mailboxes, armed faults, scenarios */
        get: operations["getTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenant/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a message arrive in a mailbox of the local tenant */
        post: operations["sendTenantMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenant/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let something go wrong in the local tenant */
        post: operations["armTenantFault"];
        /** Clear every fault of the local tenant */
        delete: operations["clearTenantFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenant/faults/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Clear one fault of the local tenant */
        delete: operations["clearTenantFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenant/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move the clock of a local tenant that does not run in real time */
        post: operations["advanceTenantClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenant/scenarios/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play a scenario in the local tenant */
        post: operations["playTenantScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Event rates, lag, queues and what waits for a person; without a role, callers see only their own mailboxes */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened to messages, newest first */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/senders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The senders of most messages */
        get: operations["listEventSenders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of events by day and type, newest day first */
        get: operations["listEventDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/{seq}/reveal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The subject and sender of one event that are masked; the log of actions keeps who asked */
        post: operations["revealEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/tail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** New events as they are written; `Last-Event-ID` continues where a connection ended */
        get: operations["tailEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every subscription, past and present */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/ensure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give every mailbox the subscription that it should have */
        post: operations["ensureSubscriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** New secrets for subscriptions, and a new certificate if asked */
        post: operations["rotateSubscriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/orphans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Subscriptions of the connected apps that this installation does not know */
        get: operations["listOrphans"];
        put?: never;
        post?: never;
        /** Delete the subscriptions that this installation does not know */
        delete: operations["deleteOrphans"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Watched mailboxes, with their subscription and how well notifications arrive */
        get: operations["listMailboxes"];
        put?: never;
        /** Watch a mailbox, or change how it is watched */
        post: operations["addMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailboxes/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One mailbox with its folders */
        get: operations["getMailbox"];
        put?: never;
        post?: never;
        /** Forget a mailbox and end its subscriptions */
        delete: operations["removeMailbox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailboxes/{address}/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Exclude a folder from watching, or include it again */
        put: operations["setFolder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailboxes/{address}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether the mailbox can be read, and if not, why */
        post: operations["verifyMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailboxes/{address}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop watching a mailbox for a while */
        post: operations["pauseMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailboxes/{address}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Watch a mailbox again, and read what was missed */
        post: operations["resumeMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailboxes/{address}/resync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read a mailbox from the start */
        post: operations["resyncMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/mailbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to let Postroom read the caller's own mailbox */
        post: operations["connectOwnMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailboxes/{address}/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to let Postroom read the mailbox of a person, who signs in themselves */
        post: operations["connectMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller has to know about their own mailbox, newest first */
        get: operations["listNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/notices/{id}/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark one of the caller's notices as seen */
        post: operations["seeNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Permissions, reachability, clocks and secrets, each with what to do */
        get: operations["diagnose"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailboxes/{address}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare a mailbox with the event log, and repair the log if asked */
        post: operations["auditMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many events of the last week a notification reported first, by mailbox */
        get: operations["listCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trace/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything known about a message, a trade, a document or a file, in order */
        get: operations["trace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Jobs, newest first */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Running workers, and what they did by hour, error and stage */
        get: operations["viewWorkers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The status of a job, for its owner and for operators */
        get: operations["getJobStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a job that has not ended */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The progress of a job; ends with `job-complete` or `job-failed` */
        get: operations["streamJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dlq": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Jobs that ended badly and wait for a person, newest first */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dlq/causes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Dead letters by cause, largest group first, with advice */
        get: operations["listDeadCauses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dlq/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Replays, newest first */
        get: operations["listReplays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dlq/replays/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The progress of a replay */
        get: operations["getReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dlq/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One dead letter with its payload, its history and advice */
        get: operations["explainDeadLetter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dlq/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run dead letters again */
        post: operations["replayDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dlq/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Close dead letters without running them again */
        post: operations["dismissDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Documents per sender and week, how many of them gave trades, how often people booked them as read, and the senders for whom either has become bad */
        get: operations["findDrift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/decided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Documents that people decided on: what was read, at which places, and what was booked */
        get: operations["listDecided"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trades, newest first, as JSON or CSV */
        get: operations["listTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trades/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One trade with its facts, documents and every decision about it */
        get: operations["getTrade"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trades/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo a decision about a trade; without `decisionId`, the last one */
        post: operations["undoDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notes/{documentId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The PDF of a contract note, from the spool or the archive */
        get: operations["getNoteContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Questions that wait for a person, oldest first */
        get: operations["listReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The oldest open question that is not assigned to somebody else */
        get: operations["nextReview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One question, with what was read, where it came from and what it may belong to */
        get: operations["getReview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Assign a question to a person, or unassign it */
        post: operations["assignReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a question; a job carries the decision out */
        post: operations["decideReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an answer back: what it created is withdrawn, and the question is asked again */
        post: operations["undoAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/{id}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give the password of a document; it is read at once, and the password is not kept */
        post: operations["givePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Send a PDF in place of a document that could not be read */
        put: operations["giveFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sinks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Programs that get events and trades as they happen, and their positions */
        get: operations["listSinks"];
        put?: never;
        /** Send events and trades to another program */
        post: operations["addSink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sinks/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Stop sending to a program, and forget its position in the feeds */
        delete: operations["removeSink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sinks/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one message of the type postroom.test now */
        post: operations["testSink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What must not be erased, and why */
        get: operations["listHolds"];
        put?: never;
        /** Keep a person, a trade or a contract note from being erased */
        post: operations["setHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a legal hold; this erases nothing */
        delete: operations["releaseHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase what Postroom knows about a person, unless a legal hold forbids it */
        post: operations["erasePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Orders, in the order in which they were written */
        get: operations["listOrders"];
        put?: never;
        /** Write an order under its reference */
        post: operations["putOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write every order of a CSV file, or none */
        post: operations["importOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancel an order that was not executed */
        delete: operations["cancelOrder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/senders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Senders whose contract notes are booked without a question */
        get: operations["listSenders"];
        put?: never;
        /** Approve a sender, without an end or until a date */
        post: operations["approveSender"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/senders/{sender}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an approval */
        delete: operations["revokeSender"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everybody whose trades may be booked */
        get: operations["listPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the imported people with those of a CSV file */
        post: operations["importPeople"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything that shows how a message became trades, or where a trade came from */
        get: operations["getEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The state of ingestion */
        get: operations["viewIngestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ingest/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ingested messages, newest first */
        get: operations["listMails"];
        put?: never;
        /** Ingest a message again */
        post: operations["ingestAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ingest/mails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One ingested message with the stages that it passed and its documents */
        get: operations["getMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ingest/guard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Install or remove the guard of the shared table */
        post: operations["setGuard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ingest/foreign-leases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set how long another program's claims stay valid */
        put: operations["setForeignLease"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ingest/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much older mail there is to ingest and file, and how much of it has no result yet */
        get: operations["viewBackfill"];
        put?: never;
        /** Ingest and file mail that was in its folder before the mailbox was set up */
        post: operations["backfill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailboxes/{address}/filing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The folders of a mailbox whose mail is filed */
        get: operations["listFilingRules"];
        /** File the mail of a folder from now on */
        put: operations["setFilingRule"];
        post?: never;
        /** Stop filing the mail of a folder; its documents stay */
        delete: operations["removeFilingRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contract-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload contract notes as PDF files; each becomes a job */
        post: operations["uploadNotes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/admin/batch-process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** File the e-mails that Dataverse received in a time range */
        post: operations["batchProcessEmails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/admin/batch-process/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The progress of a batch of e-mails */
        get: operations["getEmailBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/admin/refresh-rules-cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read the rules for mail again before the next decision */
        post: operations["refreshMailRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/containers/{containerId}/files/{*}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Send a file to a path in a container; `default` is the usual one */
        put: operations["putFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write the record of a file that was sent without one */
        post: operations["addRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a file of less than 4 MB as a form, with `containerId` and `parent` before it */
        post: operations["sendForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start to send a large file in chunks */
        post: operations["beginUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/session/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which bytes are expected next, or the finished upload */
        get: operations["getUpload"];
        /** Send the next chunk; `Content-Range` says which bytes it holds */
        put: operations["sendChunk"];
        post?: never;
        /** Cancel an upload */
        delete: operations["cancelUpload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Filed documents, newest first: your own, or all of them for an operator */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One document and its record */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/reviewed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person has looked at a document that a rule sent to review */
        post: operations["endDocumentReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/preview-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a person views a document */
        get: operations["getPreviewUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/office": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a person edits a document */
        get: operations["getOfficeUrls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes of a document, up to 25 MB */
        get: operations["getContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The versions that the drive keeps of a document's file, newest first */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/readers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who may open a document's file, as far as Graph tells the caller: all of them for an owner of the drive, otherwise the caller's own permissions */
        get: operations["listReaders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened to a document, oldest first */
        get: operations["getDocumentHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the document profile says: written by a model or by rules, and kept in the record */
        get: operations["getDocumentProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/navmap/{entity}/{relationship}/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The name of a lookup, for programs that bind rows themselves */
        get: operations["getLookupName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/navmap/{entity}/{relationship}/collection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The name of the collection on the other side of a lookup */
        get: operations["getCollectionName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/navmap/{entity}/entityset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The name of the set of a table */
        get: operations["getEntitySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether saves are accepted and processed */
        get: operations["getOfficeHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The progress of one of your saves */
        get: operations["getOfficeJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/jobs/{id}/analyses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The deep analyses that a save of yours asked for */
        get: operations["findOfficeAnalyses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/jobs/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as server-sent events, until the save has ended */
        get: operations["streamOfficeJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/search/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows that a save can be linked to, by name or number */
        get: operations["searchOfficeEntities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/search/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Documents by name, newest first */
        get: operations["searchOfficeDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/recent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where you saved lately, where this mail probably belongs, and where it is saved already */
        get: operations["getOfficeRecent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/quickcreate/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a row to save to */
        post: operations["quickCreateOfficeEntity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/share/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Addresses of documents; they open for people who may see them */
        post: operations["shareOfficeLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/share/attach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A document's file, to attach it to a message; at most 25 MB */
        post: operations["shareOfficeAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/office/save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Saves a message, an attachment or a document to a matter, a project or another row
         * @description `X-Idempotency-Key` names the save for a day; without it the content does. 409 `OFFICE_011` if it is already saved there.
         */
        post: operations["saveFromOffice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Documents that the caller may read, best first, with passages */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Names of documents and their parents that the caller may read and that contain the given text */
        get: operations["suggest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mail, notes, trades and reviews that contain all words, of each kind those that the caller may see */
        get: operations["searchRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An answer from the documents that the caller may read, with citations */
        post: operations["ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls and tokens of models by day: the caller's own, everybody's for operators */
        get: operations["listModelUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/analysis/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs a playbook over documents and streams the result as server-sent events */
        post: operations["executeAnalysis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/analysis/{id}/continue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks about an analysis and streams the answer */
        post: operations["continueAnalysis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/analysis/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Streams a completed analysis again, or writes one again that did not complete */
        post: operations["resumeAnalysis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/analysis/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of the caller's analyses */
        get: operations["getAnalysis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/playbooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an analysis can do */
        get: operations["listPlaybooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/analysis/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** One of the caller's analyses as a Markdown or Word file */
        post: operations["exportAnalysis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/analysis/{id}/save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Files one of the caller's analyses as a document */
        post: operations["saveAnalysis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analysis/enqueue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Analyses a document in the background */
        post: operations["enqueueAnalysis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/rag/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Searches the index; the results are chunks of documents that the caller may read */
        post: operations["ragSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/rag/embedding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The vector of a text */
        post: operations["ragEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/rag/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Brings the index up to date with one document */
        post: operations["ragIndex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/rag/index-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Brings the index up to date with the document of a file */
        post: operations["ragIndexFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/rag/index/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Brings the index up to date with several documents */
        post: operations["ragIndexBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/rag/send-to-index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same, for a button in Dataverse; the records say that they are indexed */
        post: operations["ragSendToIndex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/rag/{chunkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a chunk from the index until its document changes */
        delete: operations["ragDeleteChunk"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/rag/source/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a document from the index until it changes */
        delete: operations["ragDeleteSource"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/rag/admin/bulk-index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compares all documents with the index and reads what differs */
        post: operations["ragBulkIndex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/rag/enqueue-indexing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Indexes a document in the background, for programs with the key `X-Api-Key` */
        post: operations["ragEnqueueIndexing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ApprovedSender: {
            /** @description an address, or `@` and a domain */
            pattern: string;
            approvedBy: string;
            /** Format: date-time */
            approvedAt: string;
            until: string | null;
        };
        AskAnswer: {
            question: string;
            /** @description plain text */
            answer: string;
            /** @enum {string} */
            kind: "model" | "quotes" | "none";
            citations: {
                documentId: string;
                name: string;
                chunkId: string;
                page: number | null;
                label: string | null;
                /** @description they occur in the document exactly like this */
                words: string;
                link: string | null;
            }[];
            /** @description words of five letters and more that none of these documents contains as typed */
            readonly missing: string[];
            degraded: string | null;
        };
        ConsoleSettings: {
            version: string;
            /** @description whether the tenant is the local one */
            isDemo: boolean;
            /** @description whom one click signs in; only with the local tenant */
            people: components["schemas"]["SamplePerson"][];
            /** @description null if no tenant is set */
            signIn: {
                authority: string;
                clientId: string;
                scope: string;
            } | null;
        };
        Coverage: {
            mailbox: string;
            events: number;
            byPush: number;
            rescued: number;
            /** @description share of events that a notification reported first */
            pushCoverage: number | null;
            medianSeconds: number | null;
            p99Seconds: number | null;
        };
        DeadCause: {
            cause: string;
            jobType: string;
            errorCode: string;
            pattern: string;
            count: number;
            /** Format: date-time */
            firstAt: string;
            /** Format: date-time */
            lastAt: string;
            sampleJobId: string;
            advice: string;
        };
        DeadLetter: {
            jobId: string;
            jobType: string;
            queue: string;
            subjectId: string;
            /** @description the same for jobs that died of the same cause */
            cause: string;
            errorCode: string;
            errorMessage: string;
            attempt: number;
            /** Format: date-time */
            diedAt: string;
            /** @description false for a message that was never a job */
            isReplayable: boolean;
        };
        DeadLetterStory: {
            jobId: string;
            jobType: string;
            queue: string;
            subjectId: string;
            /** @description the same for jobs that died of the same cause */
            cause: string;
            errorCode: string;
            errorMessage: string;
            attempt: number;
            /** Format: date-time */
            diedAt: string;
            /** @description false for a message that was never a job */
            isReplayable: boolean;
            payload: unknown;
            /** Format: date-time */
            createdAt: string;
            correlationId: string;
            takeovers: number;
            advice: string;
            /** @description how many others died of the same cause */
            sameCause: number;
            readonly history: {
                jobId: string;
                newJobId: string | null;
                result: string;
                who: string;
                why: string;
                /** Format: date-time */
                at: string;
            }[];
        };
        Decision: {
            id: number;
            /** @enum {string} */
            kind: "confirm" | "same" | "cancel" | "amend" | "link" | "unlink" | "ask" | "reject" | "not-a-note" | "undo";
            /** @description `postroom`, or the person who decided */
            actor: string;
            lineId: string | null;
            tradeId: string | null;
            documentId: string | null;
            orderId: number | null;
            readonly explanation: string[];
            before: {
                [key: string]: unknown;
            } | null;
            undoes: number | null;
            undoneBy: number | null;
            /** Format: date-time */
            at: string;
        };
        DescribedReview: {
            id: number;
            /** @enum {string} */
            subject: "line" | "document" | "order";
            lineId: string | null;
            documentId: string | null;
            tradeId: string | null;
            /** @description the first of `reasons` */
            reason: string;
            readonly reasons: string[];
            /** @enum {string} */
            status: "open" | "decided" | "applied";
            assignee: string | null;
            /** Format: date-time */
            openedAt: string;
            decidedAt: string | null;
            decidedBy: string | null;
            decision: components["schemas"]["StoredDecision"] | null;
            /** @description why the last decision could not be carried out */
            refusal: string | null;
            /** @description what a reviewer needs to tell one question from another */
            about: {
                file: string | null;
                sender: string | null;
                messageId: string | null;
                archivePath: string | null;
                /** @description the trade as it was read, in a few words */
                trade: string | null;
            };
        };
        Document: {
            id: string;
            /** @enum {string} */
            source: "upload" | "session" | "email" | "attachment" | "office";
            /** @enum {string} */
            state: "pending" | "uploaded" | "recorded" | "refused" | "missing";
            reason: string | null;
            name: string;
            path: string;
            size: number;
            mimeType: string | null;
            sha256: string | null;
            driveId: string;
            itemId: string | null;
            webUrl: string | null;
            ownerId: string | null;
            parent: string | null;
            /** @description why a person should look at it; null if nobody needs to */
            review: string | null;
            hasRecord: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            changedAt: string;
        };
        DocumentReader: {
            /** @enum {string} */
            kind: "person" | "group" | "app" | "link";
            name: string;
            email: string | null;
            roles: string[];
            /** @description granted for the drive or a folder, not for this file */
            isInherited: boolean;
            until: string | null;
        };
        DocumentRecord: {
            sprk_documentid: string;
            sprk_filename: string | null;
            sprk_filesize: number | null;
            sprk_mimetype: string | null;
            sprk_graphitemid: string | null;
            sprk_graphdriveid: string | null;
            sprk_filepath: string | null;
        } & {
            [key: string]: unknown;
        };
        DocumentStep: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            what: "filed" | "refused" | "missing" | "record-created" | "record-changed" | "indexed" | "summarized";
            by: string | null;
            detail: string | null;
        };
        DocumentVersion: {
            id: string;
            /** Format: date-time */
            at: string;
            /** @description the person or app that saved it */
            by: string | null;
            size: number | null;
        };
        ErasureReport: {
            person: string;
            isDryRun: boolean;
            erased: {
                place: string;
                count: number;
            }[];
            /** @description rows that were kept without what identifies the person */
            redacted: {
                place: string;
                count: number;
            }[];
            /** @description each thing that was not erased, and why */
            kept: {
                place: string;
                item: string;
                reason: string;
            }[];
            /** @description where the address still occurs in the database */
            remains: {
                place: string;
                count: number;
            }[];
        };
        Event: {
            /** @description its position in the feed */
            seq: number;
            userId: string;
            mailboxId: number;
            mailbox: string;
            messageId: string;
            internetMessageId: string | null;
            /** @enum {string} */
            eventType: "arrived" | "deleted" | "moved" | "read" | "unread" | "flagged" | "unflagged" | "categorized" | "restored" | "re-keyed" | "sent";
            /**
             * Format: date-time
             * @description when it happened, if Graph says so
             */
            timestamp: string;
            /**
             * @description which path saw it first
             * @enum {string}
             */
            seenBy: "push" | "delta" | "poll" | "audit" | "import";
            /** Format: date-time */
            seenAt: string;
            subject: string | null;
            sender: {
                name?: string;
                email?: string;
                domain?: string;
            };
            /** @description subject, sender and internetMessageId are hidden; revealEvent shows them */
            isMasked: boolean;
            receivedAt: string | null;
            folderId: string;
            folderName: string | null;
            fromFolder: string | null;
            /** @description the name that the folder had then */
            fromFolderName: string | null;
            toFolder: string | null;
            importance: string;
            hasAttachments: boolean;
            conversationId: string | null;
            readonly categories: string[];
            isRead: boolean;
            flag: string;
            relatedMessageId: string | null;
            metadata: {
                hasListUnsubscribe: boolean;
                isNewsletter: boolean;
                isAutomated: boolean;
            };
        };
        FilingRule: {
            /** @description an id, a well-known name or a display name; * for the whole mailbox */
            folder: string;
            parent: string | null;
            containerId: string | null;
            /**
             * Format: date-time
             * @description mail received earlier is filed only on request
             */
            since: string;
        };
        Folder: {
            mailbox: number;
            folderId: string;
            parentId: string | null;
            displayName: string;
            wellKnown: string | null;
            isExcluded: boolean;
            isGone: boolean;
            generation: number;
            lastDeltaAt: string | null;
            resets: number;
            lastResetAt: string | null;
            /** @description a reading from the start is under way */
            isWalking: boolean;
            hasCursor: boolean;
        };
        FoundDocument: {
            documentId: string;
            name: string;
            kind: string | null;
            parent: {
                type: string;
                id: string;
                name: string | null;
            } | null;
            sender: string | null;
            date: string | null;
            language: string;
            link: string | null;
            score: number;
            passages: components["schemas"]["FoundPassage"][];
        };
        FoundPassage: {
            chunkId: string;
            text: string;
            /** @description start and end of matching words in the text */
            highlights: [
                number,
                number
            ][];
            page: number | null;
            /** @description the name of a sheet, or the subject of a message inside */
            label: string | null;
            box: {
                x: number;
                y: number;
                width: number;
                height: number;
            } | null;
            link: string | null;
            score: number;
        };
        IngestedMail: {
            /** @description of the row in the shared table */
            id: number;
            messageId: string;
            mailbox: string;
            sender: string | null;
            receivedAt: string | null;
            subject: string | null;
            status: string;
            error: string | null;
            attachments: number;
            trades: number;
            archivePaths: string[] | null;
            worker: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        JobStatus: {
            jobId: string;
            jobType: string;
            subjectId: string;
            correlationId: string;
            /** @enum {string} */
            status: "Queued" | "Running" | "Completed" | "Failed" | "Poisoned" | "Cancelled";
            attempt: number;
            maxAttempts: number;
            /** Format: date-time */
            createdAt: string;
            startedAt: string | null;
            completedAt: string | null;
            errorCode: string | null;
            errorMessage: string | null;
            /** @description what a finished job did, or why it did nothing */
            note?: string;
        };
        LegalHold: {
            id: number;
            /** @enum {string} */
            kind: "person" | "trade" | "note";
            /** @description an address, or the id of the trade or note */
            subject: string;
            reason: string;
            /** @description a person's object id, or whose terminal used the operator key */
            setBy: string;
            setByName: string | null;
            /** Format: date-time */
            setAt: string;
        };
        Me: {
            id: string;
            name: string | null;
            role: ("viewer" | "reviewer" | "operator" | "admin") | null;
        };
        Note: {
            id: string;
            emailKey: string;
            sha256: string;
            /** @enum {string} */
            source: "graph_webhook" | "manual_upload" | "poller";
            mailbox: string | null;
            messageId: string | null;
            senderEmail: string;
            senderEvidence: ({
                /** @constant */
                kind: "mail";
                authenticationResults: string | null;
                readonly authAs: string[];
                sender: string | null;
                /** @description whether a rule or a program sent it in the sender's name; absent in older notes */
                isAutomatic?: boolean;
            } | {
                /** @constant */
                kind: "upload";
                isOwn: boolean;
            } | {
                /** @constant */
                kind: "folder";
            }) | null;
            /** Format: date-time */
            receivedAt: string;
            filename: string;
            sizeBytes: number;
            foundIn: string;
            /** @enum {string} */
            status: "received" | "parsed" | "unreadable" | "rejected" | "elsewhere";
            documentType: string | null;
            reason: string | null;
            reads: number;
            textSha256: string | null;
            archivePath: string | null;
            /** Format: date-time */
            createdAt: string;
            processedAt: string | null;
        };
        Notice: {
            id: number;
            text: string;
            /** Format: date-time */
            at: string;
            seenAt: string | null;
        };
        OfficeJob: {
            jobId: string;
            /** @enum {string} */
            status: "Queued" | "Running" | "Completed" | "Failed" | "Cancelled";
            /** @enum {string} */
            jobType: "EmailSave" | "AttachmentSave" | "DocumentSave";
            progress: number;
            currentPhase: string | null;
            completedPhases: {
                name: string;
                completedAt: string;
                durationMs: number;
            }[];
            createdAt: string;
            startedAt: string | null;
            completedAt: string | null;
            result: {
                artifact: {
                    type: string;
                    /** @description of the document */
                    id: string;
                    name: string;
                    webUrl: string | null;
                    /** @description documents of the attachments */
                    attachments: string[];
                };
                extractedMetadata: {
                    subject: string | null;
                    sender: string | null;
                    date: string | null;
                } | null;
            } | null;
            error: {
                code: string;
                message: string;
                retryable: boolean;
                retryCount: number;
            } | null;
        };
        OfficeSaveAnswer: {
            success: boolean;
            duplicate: boolean;
            jobId: string;
            statusUrl: string;
            streamUrl: string;
        };
        OfficeSaveRequestInput: {
            /** @description Email, Attachment or Document */
            contentType: string;
            targetEntity?: {
                entityType?: string;
                entityId?: string;
            };
            containerId?: string;
            folderPath?: string;
            email?: {
                subject?: string | null;
                senderEmail?: string | null;
                senderName?: string | null;
                /** @default [] */
                recipients: {
                    /**
                     * @default To
                     * @enum {string}
                     */
                    type: "To" | "Cc" | "Bcc";
                    email: string;
                    name?: string | null;
                }[];
                sentDate?: string | null;
                receivedDate?: string | null;
                internetMessageId?: string | null;
                conversationId?: string | null;
                body?: string | null;
                /** @default true */
                isBodyHtml: boolean;
                /** @description the whole message, if Outlook offers it */
                contentBase64?: string;
                /** @default [] */
                attachments: {
                    attachmentId?: string | null;
                    fileName: string;
                    contentType?: string | null;
                    contentId?: string | null;
                    /** @default false */
                    isInline: boolean;
                    /** @description the bytes in Base64; at most 25 MB */
                    contentBase64: string;
                }[];
            };
            attachment?: {
                attachmentId?: string | null;
                fileName: string;
                contentType?: string | null;
                contentId?: string | null;
                /** @default false */
                isInline: boolean;
                /** @description the bytes in Base64; at most 25 MB */
                contentBase64: string;
                email?: {
                    subject?: string | null;
                    senderEmail?: string | null;
                    senderName?: string | null;
                    /** @default [] */
                    recipients: {
                        /**
                         * @default To
                         * @enum {string}
                         */
                        type: "To" | "Cc" | "Bcc";
                        email: string;
                        name?: string | null;
                    }[];
                    sentDate?: string | null;
                    receivedDate?: string | null;
                    internetMessageId?: string | null;
                    conversationId?: string | null;
                };
            };
            document?: {
                fileName: string;
                contentType?: string | null;
                /** @description the bytes in Base64; at most 25 MB */
                contentBase64: string;
            };
            /** @default true */
            triggerAiProcessing: boolean;
            /** @default {} */
            aiOptions: {
                /** @default true */
                profileSummary: boolean;
                /** @default true */
                ragIndex: boolean;
                /** @default false */
                deepAnalysis: boolean;
            };
        };
        OfficeTarget: {
            entityType: string;
            id: string;
            name: string;
            info: string | null;
        };
        Order: {
            id: number;
            reference: string;
            username: string;
            userEmail: string | null;
            holderName: string | null;
            /** @enum {string} */
            direction: "BUY" | "SELL";
            ticker: string | null;
            isin: string | null;
            sedol: string | null;
            cusip: string | null;
            description: string | null;
            quantity: number;
            limitPrice: number | null;
            currency: string | null;
            placedOn: string;
            validUntil: string | null;
            /** @enum {string} */
            status: "open" | "executed" | "cancelled";
        };
        OrphanedSubscription: {
            id: string;
            resource: string;
            notificationUrl: string;
            lifecycleUrl: string | null;
            /** Format: date-time */
            expiresAt: string;
            connection: string;
        };
        Overview: {
            /** Format: date-time */
            at: string;
            events: {
                today: number;
                byPush: number;
                rescued: number;
                medianSeconds: number | null;
                p99Seconds: number | null;
                weekdayAverage: number | null;
                minutes: {
                    /** Format: date-time */
                    at: string;
                    push: number;
                    other: number;
                    medianSeconds: number | null;
                    p99Seconds: number | null;
                }[];
            };
            /** @description today's contract notes, and how many needed no person; null unless the caller is at least a viewer */
            notes: {
                notes: number;
                withoutPerson: number;
            } | null;
            /** @description today's trades; null unless the caller is at least a viewer */
            trades: {
                booked: number;
                needsAudit: number;
            } | null;
            /** @description null unless the caller is at least a viewer */
            reviews: {
                open: number;
                oldestAt: string | null;
                reasons: {
                    reason: string;
                    count: number;
                }[];
            } | null;
            /** @description null unless the caller is at least a viewer */
            queues: {
                queue: string;
                queued: number;
                running: number;
                oldestDueAt: string | null;
            }[] | null;
            /** @description by cause; null unless the caller is an operator */
            deadLetters: {
                cause: string;
                pattern: string;
                jobType: string;
                count: number;
                /** Format: date-time */
                lastAt: string;
            }[] | null;
            /** @description what people did in the last day; null unless the caller is an operator */
            actions: {
                /** Format: date-time */
                at: string;
                who: string;
                whoName: string | null;
                operation: string;
                path: string;
                status: number | null;
            }[] | null;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail?: string;
            instance: string;
            correlationId: string;
            /** @description stable; see docs/errors.md */
            errorCode: string;
            whatToDo: string;
            /** @description what is wrong, each with a JSON pointer to its place in the request */
            errors?: {
                pointer: string;
                detail: string;
            }[];
            /** @description what the next sign-in must satisfy, as JSON */
            claims?: string;
        };
        Replay: {
            replayId: string;
            who: string;
            why: string;
            total: number;
            replayed: number;
            /** @description those whose work another job did meanwhile */
            superseded: number;
            /** Format: date-time */
            createdAt: string;
            finishedAt: string | null;
        };
        ReviewDecisionInput: {
            /** @constant */
            action: "accept";
        } | {
            /** @constant */
            action: "correct";
            facts: {
                /** @enum {string} */
                direction?: "BUY" | "SELL";
                /** Format: date */
                tradeDate?: string;
                tradeTime?: string | null;
                settlementDate?: string | null;
                name?: string | null;
                isin?: string | null;
                sedol?: string | null;
                cusip?: string | null;
                wkn?: string | null;
                valor?: string | null;
                ticker?: string | null;
                quantity?: number;
                price?: number | null;
                priceCurrency?: string | null;
                isPercentQuoted?: boolean;
                gross?: number | null;
                fees?: number | null;
                taxes?: number | null;
                net?: number | null;
                currency?: string | null;
                forexGross?: number | null;
                fxRate?: number | null;
                reference?: string | null;
                account?: string | null;
                broker?: string | null;
                holder?: string | null;
                accountType?: ("individual" | "joint" | "trust" | "corporate" | "other") | null;
                isCancelled?: boolean;
                isAmendment?: boolean;
                refersTo?: string | null;
            };
        } | {
            /** @constant */
            action: "reject";
            reason: string;
        } | {
            /** @constant */
            action: "split";
            lines: {
                /** @enum {string} */
                direction?: "BUY" | "SELL";
                /** Format: date */
                tradeDate?: string;
                tradeTime?: string | null;
                settlementDate?: string | null;
                name?: string | null;
                isin?: string | null;
                sedol?: string | null;
                cusip?: string | null;
                wkn?: string | null;
                valor?: string | null;
                ticker?: string | null;
                quantity?: number;
                price?: number | null;
                priceCurrency?: string | null;
                isPercentQuoted?: boolean;
                gross?: number | null;
                fees?: number | null;
                taxes?: number | null;
                net?: number | null;
                currency?: string | null;
                forexGross?: number | null;
                fxRate?: number | null;
                reference?: string | null;
                account?: string | null;
                broker?: string | null;
                holder?: string | null;
                accountType?: ("individual" | "joint" | "trust" | "corporate" | "other") | null;
                isCancelled?: boolean;
                isAmendment?: boolean;
                refersTo?: string | null;
            }[];
        } | {
            /** @constant */
            action: "link";
            tradeId?: string;
            orderId?: number;
        } | {
            /** @constant */
            action: "approve-sender";
            /** Format: date */
            until?: string;
        } | {
            /** @constant */
            action: "not-a-note";
            reason: string;
        };
        ReviewDetails: {
            id: number;
            /** @enum {string} */
            subject: "line" | "document" | "order";
            lineId: string | null;
            documentId: string | null;
            tradeId: string | null;
            /** @description the first of `reasons` */
            reason: string;
            readonly reasons: string[];
            /** @enum {string} */
            status: "open" | "decided" | "applied";
            assignee: string | null;
            /** Format: date-time */
            openedAt: string;
            decidedAt: string | null;
            decidedBy: string | null;
            decision: components["schemas"]["StoredDecision"] | null;
            /** @description why the last decision could not be carried out */
            refusal: string | null;
            /** @description what a reviewer needs to tell one question from another */
            about: {
                file: string | null;
                sender: string | null;
                messageId: string | null;
                archivePath: string | null;
                /** @description the trade as it was read, in a few words */
                trade: string | null;
            };
            decidedByName: string | null;
            line: components["schemas"]["TradeLine"] | null;
            document: components["schemas"]["Note"] | null;
            /** @description every trade that the document reports */
            lines: components["schemas"]["TradeLine"][];
            trade: components["schemas"]["TradeRow"] | null;
            /** @description booked trades that the line may report once more, change or cancel */
            candidates: components["schemas"]["Trade"][];
        };
        SamplePerson: {
            id: string;
            name: string;
            address: string;
            role: string | null;
        };
        SampleToken: {
            token: string;
            expiresInSeconds: number;
        };
        SearchResults: {
            query: string;
            results: components["schemas"]["FoundDocument"][];
            count: {
                documents: number;
                /** @description show the count as `more than` */
                isMore: boolean;
            };
            facets: {
                kind: {
                    [key: string]: number;
                };
                parent: {
                    type: string | null;
                    id: string;
                    name: string | null;
                    documents: number;
                }[];
            };
            /** @description the cursor of the next page */
            next: number | null;
            /** @description words of five letters and more that none of these documents contains as typed */
            readonly missing: string[];
            /** @description what did not work, in words */
            degraded: string | null;
        };
        Sink: {
            name: string;
            /** @enum {string} */
            kind: "webhook" | "event-hubs" | "outbox";
            /** @description where it sends to; null for the outbox */
            address: string | null;
            sendsEvents: boolean;
            sendsTrades: boolean;
            /** @description the last event that was accepted, by its number in the feed */
            eventPosition: number;
            tradePosition: number;
            /** @description messages accepted since the sink was added */
            sent: number;
            /** @description messages not accepted yet */
            waiting: number;
            lastSentAt: string | null;
            /** @description failures since a message was last accepted */
            failures: number;
            lastError: string | null;
            /** @description when it is tried again */
            nextAt: string | null;
            addedBy: string;
            /** Format: date-time */
            addedAt: string;
        };
        StoredDecision: {
            /** @enum {string} */
            action: "accept" | "correct" | "reject" | "split" | "link" | "approve-sender" | "not-a-note" | "unlock" | "replace";
            readonly facts?: {
                [key: string]: unknown;
            };
            reason?: string;
            readonly lines?: {
                [key: string]: unknown;
            }[];
            tradeId?: string;
            orderId?: number;
            until?: string;
            filename?: string;
            sha256?: string;
            archivePath?: string;
        };
        Subscription: {
            id: number;
            mailbox: number;
            subscriptionId: string | null;
            resource: string;
            changeType: string;
            /** @enum {string} */
            status: "pending" | "active" | "expired" | "removed" | "replaced";
            expiresAt: string | null;
            notificationUrl: string | null;
            lifecycleUrl: string | null;
            certificateId: string | null;
            lastRenewedAt: string | null;
            lastNotificationAt: string | null;
            errorCount: number;
            lastError: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        TenantFault: {
            id: string;
            kind: string;
            where: {
                [key: string]: unknown;
            };
            options: {
                [key: string]: unknown;
            };
            /** @description null means unlimited */
            remaining: number | null;
        };
        TenantState: {
            clock: {
                now: string;
                isVirtual: boolean;
            };
            mailboxes: string[];
            faults: components["schemas"]["TenantFault"][];
            faultKinds: string[];
            scenarios: {
                name: string;
                title: string;
                text: string;
            }[];
        };
        Trace: {
            id: string;
            readonly deliveries: {
                mailbox: string;
                messageId: string;
            }[];
            readonly steps: {
                /** Format: date-time */
                at: string;
                /** @description `notification`, `event`, `job`, `ingestion` or `decision` */
                kind: string;
                what: string;
                mailbox: string | null;
                readonly facts: {
                    [key: string]: unknown;
                };
            }[];
        };
        Trade: {
            id: string;
            /** @description readable and not unique: use `id` */
            tradeKey: string;
            /** @enum {string} */
            status: "confirmed" | "cancelled" | "amended" | "withdrawn";
            /** @description `postroom`, or the person who confirmed it */
            confirmedBy: string;
            needsAudit: boolean;
            username: string;
            senderEmail: string;
            direction: string | null;
            quantity: number | null;
            price: number | null;
            priceCurrency: string | null;
            gross: number | null;
            fees: number | null;
            taxes: number | null;
            net: number | null;
            currency: string | null;
            tradeDate: string | null;
            settlementDate: string | null;
            name: string | null;
            isin: string | null;
            ticker: string | null;
            reference: string | null;
            account: string | null;
            broker: string | null;
            confidence: number;
            orderId: number | null;
            /** @enum {string} */
            orderState: "linked" | "unmatched" | "in-review" | "no-orders";
            /** @description the trade that this one amends */
            correctsId: string | null;
            /** @description the trade that amends this one */
            correctedById: string | null;
            /** Format: date-time */
            createdAt: string;
            readonly documents: components["schemas"]["TradeDocument"][];
        };
        TradeDetails: {
            id: string;
            /** @description readable and not unique: use `id` */
            tradeKey: string;
            /** @enum {string} */
            status: "confirmed" | "cancelled" | "amended" | "withdrawn";
            /** @description `postroom`, or the person who confirmed it */
            confirmedBy: string;
            needsAudit: boolean;
            username: string;
            senderEmail: string;
            direction: string | null;
            quantity: number | null;
            price: number | null;
            priceCurrency: string | null;
            gross: number | null;
            fees: number | null;
            taxes: number | null;
            net: number | null;
            currency: string | null;
            tradeDate: string | null;
            settlementDate: string | null;
            name: string | null;
            isin: string | null;
            ticker: string | null;
            reference: string | null;
            account: string | null;
            broker: string | null;
            confidence: number;
            orderId: number | null;
            /** @enum {string} */
            orderState: "linked" | "unmatched" | "in-review" | "no-orders";
            /** @description the trade that this one amends */
            correctsId: string | null;
            /** @description the trade that amends this one */
            correctedById: string | null;
            /** Format: date-time */
            createdAt: string;
            readonly documents: components["schemas"]["TradeDocument"][];
            facts: components["schemas"]["TradeFacts"];
            fingerprint: string;
            occurrence: number;
            readonly matchMatrix: {
                orderId: number;
                reference: string;
                failed: ("user" | "direction" | "security" | "economics") | null;
                why: string;
            }[];
            order: components["schemas"]["Order"] | null;
            decisions: {
                id: number;
                /** @enum {string} */
                kind: "confirm" | "same" | "cancel" | "amend" | "link" | "unlink" | "ask" | "reject" | "not-a-note" | "undo";
                /** @description `postroom`, or the person who decided */
                actor: string;
                lineId: string | null;
                tradeId: string | null;
                documentId: string | null;
                orderId: number | null;
                readonly explanation: string[];
                before: {
                    [key: string]: unknown;
                } | null;
                undoes: number | null;
                undoneBy: number | null;
                /** Format: date-time */
                at: string;
                actorName: string | null;
            }[];
        };
        TradeDocument: {
            documentId: string;
            isPrimary: boolean;
            filename: string;
            archivePath: string | null;
            messageId: string | null;
            /** Format: date-time */
            receivedAt: string;
        };
        /** @description What a document says about one trade; null if it says nothing. */
        TradeFacts: {
            direction: ("BUY" | "SELL") | null;
            /** @description YYYY-MM-DD */
            tradeDate: string | null;
            tradeTime: string | null;
            settlementDate: string | null;
            name: string | null;
            isin: string | null;
            sedol: string | null;
            cusip: string | null;
            wkn: string | null;
            valor: string | null;
            ticker: string | null;
            quantity: number | null;
            /** @description in whole units of `priceCurrency` */
            price: number | null;
            priceCurrency: string | null;
            /** @description `price` is a percentage and `quantity` the nominal value */
            isPercentQuoted: boolean;
            gross: number | null;
            fees: number | null;
            taxes: number | null;
            net: number | null;
            /** @description of the account */
            currency: string | null;
            forexGross: number | null;
            fxRate: number | null;
            reference: string | null;
            account: string | null;
            broker: string | null;
            holder: string | null;
            accountType: ("individual" | "joint" | "trust" | "corporate" | "other") | null;
            isCancelled: boolean;
            isAmendment: boolean;
            /** @description the reference of the trade that is cancelled or replaced */
            refersTo: string | null;
        };
        TradeLine: {
            id: string;
            documentId: string;
            position: number;
            facts: components["schemas"]["TradeFacts"];
            confidence: number;
            /** @enum {string} */
            outcome: "confirmed" | "same" | "cancels" | "amends" | "review" | "rejected";
            tradeId: string | null;
            readonly explanation: string[];
            /** @description where each fact is printed in the document */
            evidence: unknown;
        };
        TradeRow: {
            id: string;
            tradeKey: string;
            fingerprint: string;
            referenceKey: string | null;
            economicKey: string;
            occurrence: number;
            /** @enum {string} */
            status: "confirmed" | "cancelled" | "amended" | "withdrawn";
            confirmedBy: string;
            needsAudit: boolean;
            username: string;
            senderEmail: string;
            confidence: number;
            facts: components["schemas"]["TradeFacts"];
            correctsId: string | null;
            orderId: number | null;
            /** @enum {string} */
            orderState: "linked" | "unmatched" | "in-review" | "no-orders";
            readonly matchMatrix: {
                orderId: number;
                reference: string;
                failed: ("user" | "direction" | "security" | "economics") | null;
                why: string;
            }[];
            /** Format: date-time */
            createdAt: string;
        };
        UploadSession: {
            uploadId: string;
            /** @description where the chunks go */
            uploadUrl: string;
            name: string;
            size: number;
            chunkSize: number;
            nextExpectedRanges: string[];
        };
        Uploaded: {
            /** @description of the drive item */
            id: string | null;
            name: string;
            size: number;
            webUrl: string | null;
            driveId: string;
            documentId: string | null;
            document: components["schemas"]["Document"];
        };
    };
    responses: {
        /** @description The request is malformed; `errors` says where. */
        Refusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No token, or one that is not valid here. */
        Refusal401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The token is valid and the caller may not do this. */
        Refusal403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not now; try again later. */
        Refusal503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such thing, or the caller may not see it. */
        Refusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getConsoleSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSettings"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    createSampleToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "personId": "5b0e9a52-3d0c-4c53-9d0a-7a2f1c9e4b11"
                 *     }
                 */
                "application/json": {
                    personId: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SampleToken"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantState"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    sendTenantMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": "operations@ashdown.example",
                 *       "isNote": true,
                 *       "auth": "fail"
                 *     }
                 */
                "application/json": {
                    to: string;
                    /** Format: email */
                    from?: string;
                    subject?: string;
                    body?: string;
                    /**
                     * @description Exchange's verdict on the sender
                     * @enum {string}
                     */
                    auth?: "pass" | "fail" | "none";
                    /** @description a broker's mail with a contract note */
                    isNote?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        subject: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    armTenantFault: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "throttle",
                 *       "times": 5,
                 *       "where": {
                 *         "part": "graph"
                 *       }
                 *     }
                 */
                "application/json": {
                    kind: string;
                    /** @description unlimited if absent */
                    times?: number;
                    where?: {
                        [key: string]: string | number;
                    };
                    options?: {
                        [key: string]: string | number;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantFault"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    clearTenantFaults: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    clearTenantFault: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example fault-1 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    advanceTenantClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "45m"
                 *     }
                 */
                "application/json": {
                    by: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        now: string;
                        isVirtual: boolean;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    playTenantScenario: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example forged-sender */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        steps: string[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description when the reader's day began; by default midnight UTC */
                dayStart?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description an address */
                mailbox?: string;
                /** @example arrived */
                type?: "arrived" | "deleted" | "moved" | "read" | "unread" | "flagged" | "unflagged" | "categorized" | "restored" | "re-keyed" | "sent";
                senderDomain?: string;
                seenBy?: "push" | "delta" | "poll" | "audit" | "import";
                /** @description an id or a name */
                folder?: string;
                messageId?: string;
                /** @description part of the subject */
                text?: string;
                /** @example 2026-11-01 */
                since?: string;
                until?: string;
                unread?: "true" | "false";
                order?: "newest" | "oldest";
                /** @description continue after the event of this `seq` */
                after?: number;
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 10 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["Event"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listEventSenders: {
        parameters: {
            query?: {
                /** @description an address */
                mailbox?: string;
                type?: "arrived" | "deleted" | "moved" | "read" | "unread" | "flagged" | "unflagged" | "categorized" | "restored" | "re-keyed" | "sent";
                senderDomain?: string;
                seenBy?: "push" | "delta" | "poll" | "audit" | "import";
                /** @description an id or a name */
                folder?: string;
                messageId?: string;
                /** @description part of the subject */
                text?: string;
                /** @example 2026-11-01 */
                since?: string;
                until?: string;
                unread?: "true" | "false";
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        domain: string;
                        email: string;
                        count: number;
                        /** Format: date-time */
                        newest: string;
                    }[];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listEventDays: {
        parameters: {
            query?: {
                /** @description an address */
                mailbox?: string;
                type?: "arrived" | "deleted" | "moved" | "read" | "unread" | "flagged" | "unflagged" | "categorized" | "restored" | "re-keyed" | "sent";
                senderDomain?: string;
                seenBy?: "push" | "delta" | "poll" | "audit" | "import";
                /** @description an id or a name */
                folder?: string;
                messageId?: string;
                /** @description part of the subject */
                text?: string;
                /** @example 2026-11-01 */
                since?: string;
                until?: string;
                unread?: "true" | "false";
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        days: {
                            day: string;
                            eventType: string;
                            count: number;
                        }[];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    revealEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 1 */
                seq: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        subject: string | null;
                        sender: {
                            name?: string;
                            email?: string;
                            domain?: string;
                        };
                        internetMessageId: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    tailEvents: {
        parameters: {
            query?: {
                /** @description an address */
                mailbox?: string;
                /** @example arrived */
                type?: "arrived" | "deleted" | "moved" | "read" | "unread" | "flagged" | "unflagged" | "categorized" | "restored" | "re-keyed" | "sent";
                senderDomain?: string;
                seenBy?: "push" | "delta" | "poll" | "audit" | "import";
                /** @description an id or a name */
                folder?: string;
                messageId?: string;
                /** @description part of the subject */
                text?: string;
                since?: string;
                until?: string;
                unread?: "true" | "false";
                /** @description continue after the event of this `seq` */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events named `event`; the data is an Event, the id its `seq` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        subscriptions: components["schemas"]["Subscription"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ensureSubscriptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mailbox": "nina.berg@ashdown.example"
                 *     }
                 */
                "application/json": {
                    /** @description an address; without it all */
                    mailbox?: string;
                } | null;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mailbox: string;
                        /** @enum {string} */
                        result: "kept" | "renewed" | "created" | "recreated" | "failed" | "in-progress" | "nothing-to-do" | "no-webhook-url";
                        error?: string;
                    }[];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    rotateSubscriptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mailbox": "nina.berg@ashdown.example"
                 *     }
                 */
                "application/json": {
                    /** @description an address; without it all */
                    mailbox?: string;
                    certificate?: boolean;
                } | null;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mailbox: string;
                        /** @enum {string} */
                        result: "kept" | "renewed" | "created" | "recreated" | "failed" | "in-progress" | "nothing-to-do" | "no-webhook-url";
                        error?: string;
                    }[];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listOrphans: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orphans: components["schemas"]["OrphanedSubscription"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteOrphans: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: components["schemas"]["OrphanedSubscription"][];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listMailboxes: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mailboxes: {
                            id: number;
                            connection: string;
                            address: string;
                            graphUserId: string | null;
                            ownerId: string;
                            observes: boolean;
                            ingestFolder: string | null;
                            /** @description folders whose mail is filed; * for all */
                            readonly filedFolders: string[];
                            /** Format: date-time */
                            ingestSince: string;
                            /** @enum {string} */
                            status: "active" | "paused" | "unreachable";
                            statusReason: string | null;
                            /** @enum {string} */
                            delivery: "push" | "delta" | "poll";
                            deliveryReason: string;
                            lastNotificationAt: string | null;
                            lastEventAt: string | null;
                            lastDeltaAt: string | null;
                            lastAuditAt: string | null;
                            /** @description what the last audit counted */
                            lastAudit: {
                                inMailbox: number;
                                inLog: number;
                                findings: number;
                            } | null;
                            subscriptionMinutesMax: number | null;
                            /** Format: date-time */
                            createdAt: string;
                            subscription: components["schemas"]["Subscription"] | null;
                            coverage: components["schemas"]["Coverage"] | null;
                        }[];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    addMailbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "nina.berg@ashdown.example",
                 *       "ingestFolder": "Inbox"
                 *     }
                 */
                "application/json": {
                    address: string;
                    /** @description left as it is if absent; `default` for a new mailbox */
                    connection?: string;
                    /** @description whether to subscribe to all changes, not only to new mail in `ingestFolder`; left as it is if absent; true for a new mailbox */
                    observes?: boolean;
                    /** @description null for none; left as it is if absent */
                    ingestFolder?: string | null;
                    /**
                     * Format: uuid
                     * @description left as it is if absent; for a new mailbox, the person whose mailbox it is
                     */
                    ownerId?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        connection: string;
                        address: string;
                        graphUserId: string | null;
                        ownerId: string;
                        observes: boolean;
                        ingestFolder: string | null;
                        /** @description folders whose mail is filed; * for all */
                        readonly filedFolders: string[];
                        /** Format: date-time */
                        ingestSince: string;
                        /** @enum {string} */
                        status: "active" | "paused" | "unreachable";
                        statusReason: string | null;
                        /** @enum {string} */
                        delivery: "push" | "delta" | "poll";
                        deliveryReason: string;
                        lastNotificationAt: string | null;
                        lastEventAt: string | null;
                        lastDeltaAt: string | null;
                        lastAuditAt: string | null;
                        /** @description what the last audit counted */
                        lastAudit: {
                            inMailbox: number;
                            inLog: number;
                            findings: number;
                        } | null;
                        subscriptionMinutesMax: number | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** @enum {string} */
                        subscription: "kept" | "renewed" | "created" | "recreated" | "failed" | "in-progress" | "nothing-to-do" | "no-webhook-url";
                        error?: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getMailbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        connection: string;
                        address: string;
                        graphUserId: string | null;
                        ownerId: string;
                        observes: boolean;
                        ingestFolder: string | null;
                        /** @description folders whose mail is filed; * for all */
                        readonly filedFolders: string[];
                        /** Format: date-time */
                        ingestSince: string;
                        /** @enum {string} */
                        status: "active" | "paused" | "unreachable";
                        statusReason: string | null;
                        /** @enum {string} */
                        delivery: "push" | "delta" | "poll";
                        deliveryReason: string;
                        lastNotificationAt: string | null;
                        lastEventAt: string | null;
                        lastDeltaAt: string | null;
                        lastAuditAt: string | null;
                        /** @description what the last audit counted */
                        lastAudit: {
                            inMailbox: number;
                            inLog: number;
                            findings: number;
                        } | null;
                        subscriptionMinutesMax: number | null;
                        /** Format: date-time */
                        createdAt: string;
                        folders: components["schemas"]["Folder"][];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    removeMailbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        /** @enum {boolean} */
                        removed: true;
                        /** @description those that Graph could not end; they expire */
                        subscriptionsLeft: number;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    setFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "folder": "Archive",
                 *       "isExcluded": true
                 *     }
                 */
                "application/json": {
                    /** @description an id or a name */
                    folder: string;
                    isExcluded: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        isExcluded: boolean;
                        folder: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    verifyMailbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        isReadable: true;
                        graphUserId: string;
                        address: string;
                    } | {
                        /** @enum {boolean} */
                        isReadable: false;
                        reason: string;
                        address: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    pauseMailbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        /** @enum {string} */
                        status: "paused";
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    resumeMailbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        /** @enum {string} */
                        status: "active";
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    resyncMailbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        /** @enum {string} */
                        resync: "queued";
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    connectOwnMailbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connection": "default"
                 *     }
                 */
                "application/json": {
                    /** @description the connection whose app asks for the consent */
                    connection: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description where the person signs in, within ten minutes */
                        url: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    connectMailbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the address that the person signs in with
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connection": "default"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description the connection whose app asks for the consent
                     * @default default
                     */
                    connection?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description where the person signs in, within ten minutes */
                        url: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listNotices: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        notices: components["schemas"]["Notice"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    seeNotice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the id of a notice
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    diagnose: {
        parameters: {
            query?: {
                /** @description a mailbox that must stay out of reach */
                outside?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        /** @enum {string} */
                        status: "ok" | "warning" | "failed";
                        detail: string;
                        /** @description what to type or click */
                        fix?: string;
                    }[];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    auditMailbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-01",
                 *       "repair": false
                 *     }
                 */
                "application/json": {
                    /** @default null */
                    since?: (string) | null;
                    /** @default false */
                    repair?: boolean;
                } | null;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mailbox: string;
                        since: string | null;
                        inMailbox: number;
                        inLog: number;
                        readonly findings: {
                            messageId: string;
                            /** @enum {string} */
                            kind: "missing" | "extra" | "stale" | "forgotten";
                            cause: string;
                            subject: string | null;
                        }[];
                        repaired: number;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listCoverage: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        coverage: components["schemas"]["Coverage"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    trace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a message, a trade, a document or a file
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trace"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @example Completed */
                state?: "Queued" | "Running" | "Completed" | "Failed" | "Poisoned" | "Cancelled";
                queue?: string;
                type?: string;
                subjectId?: string;
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 10 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobs: components["schemas"]["JobStatus"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    viewWorkers: {
        parameters: {
            query?: {
                /** @example 24 */
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly workers: {
                            id: number;
                            name: string;
                            /** Format: date-time */
                            startedAt: string;
                            /** Format: date-time */
                            until: string;
                            jobs: number;
                        }[];
                        readonly durations: {
                            worker: string;
                            /** Format: date-time */
                            hour: string;
                            jobs: number;
                            averageMs: number;
                            maxMs: number;
                        }[];
                        readonly failures: {
                            errorCode: string;
                            /** Format: date-time */
                            hour: string;
                            jobs: number;
                        }[];
                        readonly stages: {
                            stage: string;
                            completed: number;
                            failed: number;
                        }[];
                        /** @description jobs that wait because no worker knows their type */
                        readonly parked: {
                            queue: string;
                            type: string;
                            jobs: number;
                            /** Format: date-time */
                            since: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getJobStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a job
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStatus"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the id of a job
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobId: string;
                        isCancelled: boolean;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    streamJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a job
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; `Last-Event-ID` continues after what was seen */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                cause?: string;
                queue?: string;
                type?: string;
                code?: string;
                subjectId?: string;
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 10 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deadLetters: components["schemas"]["DeadLetter"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listDeadCauses: {
        parameters: {
            query?: {
                cause?: string;
                queue?: string;
                type?: string;
                code?: string;
                subjectId?: string;
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 10 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        causes: components["schemas"]["DeadCause"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listReplays: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 10 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        replays: components["schemas"]["Replay"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a replay
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    explainDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a dead letter
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterStory"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    replayDeadLetters: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "graph.unavailable",
                 *       "why": "Graph is back",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    cause?: string;
                    queue?: string;
                    type?: string;
                    code?: string;
                    subjectId?: string;
                    ids?: string[];
                    /** @description required if nothing else selects dead letters */
                    all?: boolean;
                    why: string;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                    perSecond?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        dryRun: true;
                        total: number;
                        notReplayable: number;
                        causes: components["schemas"]["DeadCause"][];
                    };
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        replayId: string;
                        who: string;
                        why: string;
                        total: number;
                        replayed: number;
                        /** @description those whose work another job did meanwhile */
                        superseded: number;
                        /** Format: date-time */
                        createdAt: string;
                        finishedAt: string | null;
                        statusUrl: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    dismissDeadLetters: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "mail.too-large",
                 *       "why": "handled by hand",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    cause?: string;
                    queue?: string;
                    type?: string;
                    code?: string;
                    subjectId?: string;
                    ids?: string[];
                    /** @description required if nothing else selects dead letters */
                    all?: boolean;
                    why: string;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        dryRun: true;
                        total: number;
                    } | {
                        dismissed: number;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    findDrift: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        yields: {
                            sender: string;
                            period: string;
                            documents: number;
                            yielded: number;
                        }[];
                        alarms: {
                            sender: string;
                            period: string;
                            now: number;
                            before: number;
                            documents: number;
                        }[];
                        trusts: {
                            sender: string;
                            /** @description trades that were read and that people decided on */
                            decided: number;
                            /** @description mean confidence of these trades */
                            said: number;
                            /** @description share of them that people booked as they were read */
                            right: number;
                        }[];
                        /** @description right less often than the confidence says, by more than chance explains */
                        overtrusted: {
                            sender: string;
                            /** @description trades that were read and that people decided on */
                            decided: number;
                            /** @description mean confidence of these trades */
                            said: number;
                            /** @description share of them that people booked as they were read */
                            right: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listDecided: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        documents: {
                            documentId: string;
                            sender: string;
                            readonly lines: {
                                confidence: number;
                                /** @description null if a person entered the line */
                                read: components["schemas"]["TradeFacts"] | null;
                                /** @description null if it is not a trade */
                                decided: components["schemas"]["TradeFacts"] | null;
                                /** @description where each value was read */
                                readonly places: {
                                    [key: string]: unknown;
                                };
                                isByPerson: boolean;
                            }[];
                        }[];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listTrades: {
        parameters: {
            query?: {
                /** @example confirmed */
                status?: "confirmed" | "cancelled" | "amended" | "withdrawn";
                username?: string;
                messageId?: string;
                needsAudit?: "true" | "false";
                /** @example 2026-11-01 */
                since?: string;
                /** @description booked before this time */
                until?: string;
                isin?: string;
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                limit?: number;
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trades, or a CSV file of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        trades: components["schemas"]["Trade"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getTrade: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a trade
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradeDetails"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    undoDecision: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the id of a trade
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "booked twice",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    decisionId?: number;
                    reason: string;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        dryRun: true;
                        decision: components["schemas"]["Decision"];
                    } | {
                        undone: components["schemas"]["Decision"];
                        /** @description the decision that undid it */
                        decisionId: number;
                        /** @description how many questions this opened */
                        asked: number;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getNoteContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f1f2c3e-0f5b-4a52-9c61-1f0f8a2f7d11 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as it arrived. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listReviews: {
        parameters: {
            query?: {
                /** @example open */
                status?: "open" | "decided" | "applied";
                /** @example line */
                subject?: "line" | "document" | "order";
                assignee?: string;
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reviews: components["schemas"]["DescribedReview"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                        open: number;
                        decided: number;
                        oldestAt: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    nextReview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewDetails"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a question
                 * @example 7
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewDetails"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    assignReview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the id of a question
                 * @example 7
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "assignee": "nina.berg@ashdown.example"
                 *     }
                 */
                "application/json": {
                    assignee: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        assignee: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    decideReview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the id of a question
                 * @example 7
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decision": {
                 *         "action": "accept"
                 *       },
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    decision: components["schemas"]["ReviewDecisionInput"];
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        dryRun: true;
                        id: number;
                        decision: components["schemas"]["StoredDecision"];
                    };
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobId: string;
                        /** @description where the job can be followed */
                        statusUrl: string;
                        id: number;
                        decision: components["schemas"]["StoredDecision"];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    undoAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the id of a question
                 * @example 7
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "the wrong key"
                 *     }
                 */
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description the decision that undid the answer */
                        decisionId: number;
                        /** @description how many questions this opened */
                        asked: number;
                        /** @description the ids of these questions */
                        questions: number[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    givePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the id of a question
                 * @example 7
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "the password of the file"
                 *     }
                 */
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobId: string;
                        /** @description where the job can be followed */
                        statusUrl: string;
                        id: number;
                        decision: components["schemas"]["StoredDecision"];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    giveFile: {
        parameters: {
            query: {
                /** @example note.pdf */
                filename: string;
            };
            header?: never;
            path: {
                /**
                 * @description the id of a question
                 * @example 7
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobId: string;
                        /** @description where the job can be followed */
                        statusUrl: string;
                        id: number;
                        decision: components["schemas"]["StoredDecision"];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listSinks: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sinks: components["schemas"]["Sink"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    addSink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "warehouse",
                 *       "kind": "outbox"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    kind: "webhook" | "event-hubs" | "outbox";
                    /** @description of a webhook; https, or http on this machine */
                    url?: string;
                    /** @description of an event hub */
                    connectionString?: string;
                    /** @default true */
                    sendsEvents?: boolean;
                    /** @default true */
                    sendsTrades?: boolean;
                    /**
                     * @description also send what happened before; otherwise only what happens from now on
                     * @default false
                     */
                    fromStart?: boolean;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        dryRun: true;
                        name: string;
                    };
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sink: components["schemas"]["Sink"];
                        /** @description verifies the signatures of a webhook; it is never shown again */
                        secret: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    removeSink: {
        parameters: {
            query?: {
                /** @example true */
                dryRun?: "true" | "false";
            };
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the name of a sink
                 * @example warehouse
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        waiting: number;
                        /** @enum {boolean} */
                        dryRun?: true;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    testSink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the name of a sink
                 * @example warehouse
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        id: string;
                        isTaken: boolean;
                        problem: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listHolds: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        holds: components["schemas"]["LegalHold"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    setHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "person",
                 *       "subject": "omar@x.example",
                 *       "reason": "case 2026/17"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    kind: "person" | "trade" | "note";
                    subject: string;
                    reason: string;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        dryRun: true;
                        subject: string;
                    };
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegalHold"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    releaseHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the id of a hold
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    erasePerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "nobody@x.example",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    address: string;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureReport"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @example open */
                status?: "open" | "executed" | "cancelled";
                username?: string;
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orders: components["schemas"]["Order"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    putOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reference": "ORD-1042",
                 *       "username": "nberg",
                 *       "direction": "BUY",
                 *       "ticker": "AAPL",
                 *       "quantity": 100,
                 *       "placedOn": "2026-11-02"
                 *     }
                 */
                "application/json": {
                    reference: string;
                    username: string;
                    userEmail: string | null;
                    holderName: string | null;
                    /** @enum {string} */
                    direction: "BUY" | "SELL";
                    ticker: string | null;
                    isin: string | null;
                    sedol: string | null;
                    cusip: string | null;
                    description: string | null;
                    quantity: number;
                    limitPrice: number | null;
                    currency: string | null;
                    /** Format: date */
                    placedOn: string;
                    validUntil: string | null;
                    /** @enum {string} */
                    status?: "open" | "cancelled";
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        order: components["schemas"]["Order"];
                        /** @enum {string} */
                        change: "added" | "changed" | "unchanged";
                    };
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        order: components["schemas"]["Order"];
                        /** @enum {string} */
                        change: "added" | "changed" | "unchanged";
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    importOrders: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "csv": "reference,username,direction,ticker,quantity,placedOn\nORD-1043,nberg,SELL,MSFT,20,2026-11-03\n"
                 *     }
                 */
                "application/json": {
                    /** @description the text of a CSV file whose first line names the columns */
                    csv: string;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        dryRun: true;
                        orders: number;
                        added: number;
                        changed: number;
                        unchanged: number;
                        /** @description the first 200 orders that would be added or changed */
                        changes: {
                            reference: string;
                            /** @enum {string} */
                            change: "added" | "changed" | "unchanged";
                            readonly fields: {
                                name: string;
                                from: string | null;
                                to: string | null;
                            }[];
                        }[];
                    } | {
                        added: number;
                        changed: number;
                        unchanged: number;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the reference of an order
                 * @example ORD-1042
                 */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reference: string;
                        /** @enum {string} */
                        status: "cancelled";
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listSenders: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        senders: components["schemas"]["ApprovedSender"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    approveSender: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sender": "notes@broker.example"
                 *     }
                 */
                "application/json": {
                    sender: string;
                    /** Format: date */
                    until?: string;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovedSender"] | {
                        /** @enum {boolean} */
                        dryRun: true;
                        pattern: string;
                        until: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    revokeSender: {
        parameters: {
            query?: {
                /** @example true */
                dryRun?: "true" | "false";
            };
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description an approved pattern
                 * @example notes@broker.example
                 */
                sender: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        pattern: string;
                        /** @enum {boolean} */
                        dryRun?: true;
                        /** @enum {boolean} */
                        revoked?: true;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                        people: {
                            username: string;
                            email: string | null;
                            name: string | null;
                            readonly accounts: string[];
                            /** @enum {string} */
                            source: "directory" | "import" | "order";
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    importPeople: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "csv": "email,name\nnina.berg@ashdown.example,Nina Berg\n"
                 *     }
                 */
                "application/json": {
                    /** @description the text of a CSV file whose first line names the columns */
                    csv: string;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        people: number;
                        /** @enum {boolean} */
                        dryRun?: true;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getEvidence: {
        parameters: {
            query: {
                /** @example trade */
                kind: "message" | "trade";
                /** @example nberg-20261102-AAPL-BUY-100 */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        subject: {
                            /** @enum {string} */
                            kind: "message" | "trade";
                            id: string;
                        };
                        messages: {
                            messageId: string;
                            mailbox: string | null;
                            /** @description in base64 */
                            eml: string | null;
                        }[];
                        documents: {
                            documentId: string;
                            filename: string;
                            archivePath: string | null;
                            /** @description in base64 */
                            bytes: string | null;
                            extraction: unknown;
                        }[];
                        readonly decisions: {
                            [key: string]: unknown;
                        }[];
                        readonly trades: {
                            [key: string]: unknown;
                        }[];
                        readonly notifications: {
                            [key: string]: unknown;
                        }[];
                        readonly events: {
                            [key: string]: unknown;
                        }[];
                        readonly missing: {
                            what: string;
                            why: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    viewIngestion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        schema: string;
                        appName: string;
                        /** @enum {string} */
                        guard: "installed" | "absent" | "disabled" | "foreign";
                        /** @description number of messages by status */
                        readonly messages: {
                            [key: string]: number;
                        };
                        liveClaims: number;
                        conflicts: number;
                        readonly foreignLeases: {
                            workerPrefix: string;
                            leaseSeconds: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listMails: {
        parameters: {
            query?: {
                /** @example success */
                status?: "processing" | "success" | "failed" | "skipped";
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mails: components["schemas"]["IngestedMail"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ingestAgain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mailbox": "nina.berg@ashdown.example",
                 *       "messageId": "AAMkAGI2"
                 *     }
                 */
                "application/json": {
                    mailbox: string;
                    messageId: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobId: string;
                        /** @description where the job can be followed */
                        statusUrl: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a message
                 * @example AAMkAGI2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mail: components["schemas"]["IngestedMail"] | null;
                        steps: {
                            step: string;
                            name: string;
                            worker: string;
                            readonly detail: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            at: string;
                        }[];
                        documents: components["schemas"]["Note"][];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    setGuard: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "install",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    action: "install" | "remove";
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        guard: "installed" | "absent" | "disabled" | "foreign";
                        /** @enum {boolean} */
                        dryRun?: true;
                        /** @enum {string} */
                        action?: "install" | "remove";
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    setForeignLease: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workerPrefix": "legacy-",
                 *       "seconds": 900
                 *     }
                 */
                "application/json": {
                    workerPrefix: string;
                    seconds: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workerPrefix: string;
                        seconds: number;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    viewBackfill: {
        parameters: {
            query: {
                /** @example nina.berg@ashdown.example */
                mailbox: string;
                /**
                 * @description mail received from this time on
                 * @example 2026-01-01
                 */
                since: string;
                /** @description mail received before this time; now if absent */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mailbox: string;
                        ingest: {
                            messages: number;
                            /** @description messages whose job waits or runs */
                            open: number;
                            /** @description messages whose job is a dead letter */
                            dead: number;
                        };
                        file: {
                            messages: number;
                            /** @description messages whose job waits or runs */
                            open: number;
                            /** @description messages whose job is a dead letter */
                            dead: number;
                        };
                        /** @description false while a folder is still being read for the first time */
                        isComplete: boolean;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    backfill: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mailbox": "nina.berg@ashdown.example",
                 *       "since": "2026-01-01",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    mailbox: string;
                    /** @description mail received from this time on */
                    since: string;
                    /** @description mail received before this time; now if absent */
                    until?: string;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mailbox: string;
                        ingest: {
                            messages: number;
                            /** @description messages whose job waits or runs */
                            open: number;
                            /** @description messages whose job is a dead letter */
                            dead: number;
                        };
                        file: {
                            messages: number;
                            /** @description messages whose job waits or runs */
                            open: number;
                            /** @description messages whose job is a dead letter */
                            dead: number;
                        };
                        /** @description false while a folder is still being read for the first time */
                        isComplete: boolean;
                        /** @enum {boolean} */
                        dryRun: true;
                    };
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mailbox: string;
                        ingest: {
                            messages: number;
                            /** @description messages whose job waits or runs */
                            open: number;
                            /** @description messages whose job is a dead letter */
                            dead: number;
                        };
                        file: {
                            messages: number;
                            /** @description messages whose job waits or runs */
                            open: number;
                            /** @description messages whose job is a dead letter */
                            dead: number;
                        };
                        /** @description false while a folder is still being read for the first time */
                        isComplete: boolean;
                        jobId: string;
                        /** @description where the job can be followed */
                        statusUrl: string;
                        since: string;
                        until: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listFilingRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        rules: components["schemas"]["FilingRule"][];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    setFilingRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "folder": "Inbox"
                 *     }
                 */
                "application/json": {
                    /** @description an id, a well-known name or a display name; * for the whole mailbox */
                    folder: string;
                    /** @description like sprk_matter:{id} */
                    parent?: string;
                    /** @description a drive id; the usual one if absent */
                    containerId?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description an id, a well-known name or a display name; * for the whole mailbox */
                        folder: string;
                        parent: string | null;
                        containerId: string | null;
                        /**
                         * Format: date-time
                         * @description mail received earlier is filed only on request
                         */
                        since: string;
                        address: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    removeFilingRule: {
        parameters: {
            query: {
                /**
                 * @description an id, a well-known name or a display name; * for the whole mailbox
                 * @example Inbox
                 */
                folder: string;
            };
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the address of a mailbox
                 * @example nina.berg@ashdown.example
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        folder: string;
                        /** @enum {boolean} */
                        removed: true;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    uploadNotes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accepted: {
                            jobId: string;
                            /** @description where the job can be followed */
                            statusUrl: string;
                            filename: string;
                            sha256: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    batchProcessEmails: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-01-01",
                 *       "until": "2026-01-31",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    /** @description e-mails created from this time on */
                    since: string;
                    /** @description e-mails created before this time; now if absent */
                    until?: string;
                    /**
                     * @description say what would happen and change nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description e-mails of the range */
                        found: number;
                        /** @description those whose job waits or runs */
                        open: number;
                        /** @description those whose job is a dead letter */
                        dead: number;
                        /** @enum {boolean} */
                        dryRun: true;
                    };
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobId: string;
                        /** @description where the job can be followed */
                        statusUrl: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getEmailBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a batch
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description e-mails of the range */
                        found: number;
                        /** @description those whose job waits or runs */
                        open: number;
                        /** @description those whose job is a dead letter */
                        dead: number;
                        jobId: string;
                        status: string;
                        since: string;
                        until: string;
                        note: string | null;
                        errorMessage: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    refreshMailRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    putFile: {
        parameters: {
            query?: {
                /** @description like sprk_matter:0198a2b4-… */
                parent?: string;
                record?: "true" | "false";
                /** @example replace */
                conflictBehavior?: "fail" | "replace" | "rename";
                /** @description only check the path, the container and the parent; the body is ignored */
                dryRun?: "true" | "false";
            };
            header?: never;
            path: {
                /** @example default */
                containerId: string;
                /**
                 * @description a path in the drive
                 * @example documents/letter.pdf
                 */
                "*": string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description where the file would be, if `dryRun` is set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        dryRun: true;
                        containerId: string;
                        path: string;
                    };
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Uploaded"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    addRecord: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "parent": "sprk_matter:0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60"
                 *     }
                 */
                "application/json": {
                    /** @description like sprk_matter:0198a2b4-… */
                    parent?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Uploaded"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    sendForm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Uploaded"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    beginUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fileName": "report.pdf",
                 *       "size": 52428800
                 *     }
                 */
                "application/json": {
                    fileName: string;
                    size: number;
                    containerId?: string;
                    /** @description like sprk_matter:0198a2b4-… */
                    parent?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadSession"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of an upload
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadSession"] | components["schemas"]["Uploaded"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    sendChunk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of an upload
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Uploaded"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadSession"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            /** @description Default Response */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadSession"];
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    cancelUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the id of an upload
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @example recorded */
                state?: "pending" | "uploaded" | "recorded" | "refused" | "missing";
                /** @description true for documents that a person should look at */
                review?: "true" | "false";
                /** @description the `next` of the page before; without it, the first page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        documents: components["schemas"]["Document"][];
                        /** @description the cursor of the next page; null after the last one */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a document
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        document: components["schemas"]["Document"] | null;
                        record: components["schemas"]["DocumentRecord"] | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    endDocumentReview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description the id of a document
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getPreviewUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a document
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        previewUrl: string;
                        documentInfo: {
                            name: string;
                            size: number;
                        };
                        correlationId: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getOfficeUrls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a document
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        officeUrl: string;
                        desktopUrl: string | null;
                        correlationId: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a document
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as it is in its drive now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a document
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: components["schemas"]["DocumentVersion"][];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listReaders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a document
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description who owns the record in Dataverse */
                        recordOwner: string | null;
                        readers: components["schemas"]["DocumentReader"][];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getDocumentHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a document
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        steps: components["schemas"]["DocumentStep"][];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getDocumentProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of a document
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: string | null;
                        tldr: string | null;
                        keywords: string | null;
                        documentType: string | null;
                        summarizedAt: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getLookupName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sprk_document */
                entity: string;
                /** @example sprk_matter_document_1n */
                relationship: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        childEntity: string;
                        relationship: string;
                        navigationPropertyName: string;
                        parentEntity: string;
                        logicalName: string;
                        /** @enum {string} */
                        source: "dataverse" | "cache";
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getCollectionName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sprk_matter */
                entity: string;
                /** @example sprk_matter_document_1n */
                relationship: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        childEntity: string;
                        relationship: string;
                        navigationPropertyName: string;
                        parentEntity: string;
                        logicalName: string;
                        /** @enum {string} */
                        source: "dataverse" | "cache";
                        collectionPropertyName: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getEntitySet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sprk_document */
                entity: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entityLogicalName: string;
                        entitySetName: string;
                        /** @enum {string} */
                        source: "dataverse";
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getOfficeHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "healthy" | "degraded";
                        workers: boolean;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getOfficeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the jobId of a save
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficeJob"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    findOfficeAnalyses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the jobId of a save
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        analyses: {
                            documentId: string;
                            name: string;
                            /** @enum {string} */
                            state: "waiting" | "running" | "completed" | "failed";
                            /** @description the model, or `extractive` */
                            author: string | null;
                            /** @description plain text; while it is being written, its beginning */
                            content: string;
                            /** @description the code of the failure */
                            error: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    streamOfficeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the jobId of a save
                 * @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; `Last-Event-ID` continues after what was seen */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    searchOfficeEntities: {
        parameters: {
            query: {
                /** @example Brown */
                q: string;
                /** @example sprk_matter */
                type?: string;
                top?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["OfficeTarget"][];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    searchOfficeDocuments: {
        parameters: {
            query: {
                /** @example fee */
                q: string;
                top?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            documentId: string;
                            name: string;
                            webUrl: string | null;
                            changedAt: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    getOfficeRecent: {
        parameters: {
            query?: {
                /** @example ada@clients.example */
                sender?: string;
                subject?: string;
                conversationId?: string;
                internetMessageId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recent: components["schemas"]["OfficeTarget"][];
                        suggested: components["schemas"]["OfficeTarget"][];
                        filed: {
                            documentId: string;
                            name: string;
                            webUrl: string | null;
                            target: components["schemas"]["OfficeTarget"];
                            savedAt: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    quickCreateOfficeEntity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description like sprk_matter
                 * @example sprk_matter
                 */
                type: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Brown v. Smith"
                 *     }
                 */
                "application/json": {
                    name: string;
                    number?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficeTarget"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    shareOfficeLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentIds": [
                 *         "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60"
                 *       ]
                 *     }
                 */
                "application/json": {
                    documentIds: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        links: {
                            documentId: string;
                            name: string;
                            url: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    shareOfficeAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentId": "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    documentId: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fileName: string;
                        contentType: string;
                        size: number;
                        contentBase64: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    saveFromOffice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contentType": "Document",
                 *       "targetEntity": {
                 *         "entityType": "sprk_matter",
                 *         "entityId": "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60"
                 *       },
                 *       "document": {
                 *         "fileName": "Draft.docx",
                 *         "contentBase64": "UEsDBA=="
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OfficeSaveRequestInput"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficeSaveAnswer"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficeSaveAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    search: {
        parameters: {
            query: {
                /** @example notice period */
                q: string;
                /**
                 * @description kinds of files, separated by commas
                 * @example pdf,docx
                 */
                kind?: string;
                /** @description the row that they belong to: `sprk_matter:GUID` */
                parent?: string;
                /** @description a part of the sender's address or name */
                sender?: string;
                mailbox?: string;
                from?: string;
                to?: string;
                mode?: "hybrid" | "text" | "vector";
                limit?: number;
                cursor?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    suggest: {
        parameters: {
            query: {
                /** @example lea */
                q: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        suggestions: {
                            /** @enum {string} */
                            type: "document" | "parent";
                            id: string;
                            text: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    searchRecords: {
        parameters: {
            query: {
                /** @example settlement friday */
                q: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            /** @enum {string} */
                            type: "mail" | "note" | "trade" | "review";
                            id: string;
                            title: string;
                            detail: string | null;
                            date: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "question": "When can the lease be terminated?"
                 *     }
                 */
                "application/json": {
                    question: string;
                    /** @description kinds of files, separated by commas */
                    kind?: string;
                    /** @description the row that they belong to: `sprk_matter:GUID` */
                    parent?: string;
                    /** @description a part of the sender's address or name */
                    sender?: string;
                    mailbox?: string;
                    from?: string;
                    to?: string;
                    documentIds?: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    listModelUsage: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        usage: {
                            personId: string;
                            day: string;
                            model: string;
                            calls: number;
                            failedCalls: number;
                            promptTokens: number;
                            completionTokens: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    executeAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentIds": [
                 *         "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60"
                 *       ],
                 *       "playbookId": "contract-key-terms"
                 *     }
                 */
                "application/json": {
                    documentIds?: string[];
                    playbookId?: string | null;
                    actionId?: string | null;
                    skillIds?: string[];
                    knowledgeIds?: string[];
                    toolIds?: string[];
                    /** @enum {string} */
                    outputType?: "Document" | "Email" | "Teams" | "Notification" | "Workflow";
                };
            };
        };
        responses: {
            /** @description Server-sent events, until the analysis has ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @enum {string} */
                        type: "metadata" | "chunk" | "done" | "error";
                        content: string | null;
                        done: boolean;
                        analysisId?: string;
                        documentName?: string;
                        tokenUsage?: {
                            input: number;
                            output: number;
                        };
                        error?: string;
                        partialStorage?: boolean;
                        storageMessage?: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    continueAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "Which date comes first?"
                 *     }
                 */
                "application/json": {
                    message: string;
                };
            };
        };
        responses: {
            /** @description Server-sent events, until the analysis has ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @enum {string} */
                        type: "metadata" | "chunk" | "done" | "error";
                        content: string | null;
                        done: boolean;
                        analysisId?: string;
                        documentName?: string;
                        tokenUsage?: {
                            input: number;
                            output: number;
                        };
                        error?: string;
                        partialStorage?: boolean;
                        storageMessage?: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    resumeAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events, until the analysis has ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @enum {string} */
                        type: "metadata" | "chunk" | "done" | "error";
                        content: string | null;
                        done: boolean;
                        analysisId?: string;
                        documentName?: string;
                        tokenUsage?: {
                            input: number;
                            output: number;
                        };
                        error?: string;
                        partialStorage?: boolean;
                        storageMessage?: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        analysisId: string;
                        documentId: string;
                        documentName: string;
                        playbookId: string;
                        /** @enum {string} */
                        state: "running" | "completed" | "degraded" | "failed" | "cancelled";
                        /** @description the model, or `extractive` */
                        author: string | null;
                        content: string;
                        turns: {
                            question: string;
                            answer: string;
                        }[];
                        error: string | null;
                        /** @description the document that it was saved as */
                        savedAs: string | null;
                        /** Format: date-time */
                        createdAt: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    listPlaybooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playbooks: {
                            id: string;
                            name: string;
                            version: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    exportAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "md"
                 *     }
                 */
                "application/json": {
                    /**
                     * @default md
                     * @enum {string}
                     */
                    format?: "md" | "docx";
                };
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    saveAnalysis: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "docx"
                 *     }
                 */
                "application/json": {
                    /**
                     * @default docx
                     * @enum {string}
                     */
                    format?: "md" | "docx";
                    fileName?: string;
                    containerId?: string;
                    /** @description such as `sprk_matter:GUID` */
                    parent?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        documentId: string;
                        driveId: string;
                        itemId: string | null;
                        webUrl: string | null;
                        fileName: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    enqueueAnalysis: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentId": "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60",
                 *       "playbookId": "document-profile"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    documentId?: string;
                    analysisType?: string;
                    playbookId?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobId: string;
                        /** @description where the job can be followed */
                        statusUrl: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ragSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "notice period",
                 *       "options": {
                 *         "tenantId": "0f9e8d7c-6b5a-4c3d-9e2f-1a0b9c8d7e6f"
                 *       }
                 *     }
                 */
                "application/json": {
                    query?: string;
                    options?: {
                        /** @description the caller's own tenant */
                        tenantId?: string;
                        /** @default 5 */
                        topK?: number;
                        /** @default 0.7 */
                        minScore?: number;
                        fileTypes?: ("pdf" | "docx" | "xlsx" | "pptx" | "eml" | "msg" | "html" | "rtf" | "csv" | "txt")[];
                        parentEntityType?: string;
                        /** Format: uuid */
                        parentEntityId?: string;
                        documentIds?: string[];
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        query: string;
                        results: {
                            /** @description {documentId}_{chunkIndex}_v{generation} */
                            id: string;
                            documentId: string;
                            fileName: string;
                            fileType: string | null;
                            chunkIndex: number;
                            chunkCount: number;
                            content: string;
                            score: number;
                            parentEntityType: string | null;
                            parentEntityId: string | null;
                            parentEntityName: string | null;
                        }[];
                        /** @description of these results */
                        totalCount: number;
                        searchDurationMs: number;
                        degraded: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ragEmbedding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "notice period"
                 *     }
                 */
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        model: string;
                        dimensions: number;
                        embedding: number[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ragIndex: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentId": "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60",
                 *       "tenantId": "0f9e8d7c-6b5a-4c3d-9e2f-1a0b9c8d7e6f"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    documentId?: string;
                    /** @description the caller's own tenant */
                    tenantId?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        documentId: string;
                        success: boolean;
                        chunksIndexed: number;
                        durationMs: number;
                        errorMessage: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ragIndexFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "driveId": "b!x",
                 *       "itemId": "01ABC",
                 *       "documentId": "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60",
                 *       "tenantId": "0f9e8d7c-6b5a-4c3d-9e2f-1a0b9c8d7e6f"
                 *     }
                 */
                "application/json": {
                    driveId: string;
                    itemId: string;
                    fileName?: string;
                    /** Format: uuid */
                    documentId?: string;
                    /** @description the caller's own tenant */
                    tenantId?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        documentId: string;
                        success: boolean;
                        chunksIndexed: number;
                        durationMs: number;
                        errorMessage: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ragIndexBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentIds": [
                 *         "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60"
                 *       ],
                 *       "tenantId": "0f9e8d7c-6b5a-4c3d-9e2f-1a0b9c8d7e6f"
                 *     }
                 */
                "application/json": {
                    documentIds?: string[];
                    /** @description the caller's own tenant */
                    tenantId?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        totalRequested: number;
                        successCount: number;
                        failedCount: number;
                        results: {
                            documentId: string;
                            success: boolean;
                            chunksIndexed: number;
                            durationMs: number;
                            errorMessage: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ragSendToIndex: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentIds": [
                 *         "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60"
                 *       ],
                 *       "tenantId": "0f9e8d7c-6b5a-4c3d-9e2f-1a0b9c8d7e6f"
                 *     }
                 */
                "application/json": {
                    documentIds?: string[];
                    /** @description the caller's own tenant */
                    tenantId?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        totalRequested: number;
                        successCount: number;
                        failedCount: number;
                        results: {
                            documentId: string;
                            success: boolean;
                            chunksIndexed: number;
                            durationMs: number;
                            errorMessage: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ragDeleteChunk: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60_0_v1 */
                chunkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {boolean} */
                        deleted: true;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    ragDeleteSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sourceDocumentId: string;
                        deletedCount: number;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            503: components["responses"]["Refusal503"];
        };
    };
    ragBulkIndex: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tenantId": "0f9e8d7c-6b5a-4c3d-9e2f-1a0b9c8d7e6f"
                 *     }
                 */
                "application/json": {
                    /** @description the caller's own tenant */
                    tenantId?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobId: string;
                        statusUrl: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
    ragEnqueueIndexing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentId": "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60",
                 *       "tenantId": "0f9e8d7c-6b5a-4c3d-9e2f-1a0b9c8d7e6f"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    documentId?: string;
                    driveId?: string;
                    itemId?: string;
                    fileName?: string;
                    /** @description the caller's own tenant */
                    tenantId?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        accepted: true;
                        jobId: string;
                        idempotencyKey: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            503: components["responses"]["Refusal503"];
        };
    };
}

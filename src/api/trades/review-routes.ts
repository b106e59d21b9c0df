/** The review queue over HTTP. A decision and the job that carries it out are one transaction. */
import { applyReview } from "../../flows/specs/ingestion.ts";
import { getDocument } from "../../ingestion/document-table.ts";
import type { JobQueue } from "../../jobs/job.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { type DecideAnswer, decideReview } from "../../review/decide-review.ts";
import type { Review, ReviewDecision } from "../../review/review.ts";
import {
  assignReview,
  countReviews,
  findReviewSubjects,
  findReviews,
  getReview,
  openReviews,
} from "../../review/review-table.ts";
import type { Database, Transaction } from "../../store/database.ts";
import { beyondTenant } from "../../store/reach.ts";
import { findCandidates } from "../../trades/answers/find-candidates.ts";
import { undoAnswer } from "../../trades/answers/undo-answer.ts";
import { findTradeLines, getTradeLine } from "../../trades/trade-line-table.ts";
import { getTrade } from "../../trades/trade-table.ts";
import { toViews } from "../../trades/trade-view.ts";
import { findNames } from "../access/action-table.ts";
import { nameOf } from "../access/auth.ts";
import { keepWithEffect } from "../http/idempotency.ts";
import { toPage } from "../http/paging.ts";
import { conflict, notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/reviews.ts";

export interface ReviewRoutesNeeds {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly random: Random;
  readonly clock: Clock;
  readonly firmDomains: readonly string[];
  /** Carries a decision out and rolls it back. */
  readonly rehearse: (
    id: number,
    decided: { decision: ReviewDecision; by: string },
  ) => Promise<DecideAnswer>;
}

export function registerReviewRoutes(app: ApiScope, needs: ReviewRoutesNeeds): void {
  registerQuestionRoutes(app, needs);
  registerAnswerRoutes(app, needs);
  registerUndoRoute(app, needs);
}

function registerQuestionRoutes(app: ApiScope, { database }: ReviewRoutesNeeds): void {
  app.get(
    "/api/reviews",
    { config: { access: "reviewer" }, schema: schemas.listReviews },
    async (request) => {
      const { cursor: after, limit, ...filter } = request.query;
      const found = await findReviews(database, { ...filter, after, limit: limit + 1 });
      const { rows: reviews, next } = toPage("reviews", limit, found, ({ id }) => id);
      const about = await findReviewSubjects(
        database,
        reviews.map((review) => review.id),
      );
      const described = reviews.map((review) => ({ ...review, about: about.get(review.id)! }));
      return { reviews: described, next, ...(await countReviews(database)) };
    },
  );

  app.get(
    "/api/reviews/next",
    { config: { access: "reviewer" }, schema: schemas.nextReview },
    async (request) => {
      const caller = request.caller;
      const open = await findReviews(database, { status: "open" });
      const next = open.find((review) => review.assignee === null || review.assignee === caller.id);
      if (next === undefined) throw notFound("no question is open");
      return describeReview(database, next);
    },
  );

  app.get(
    "/api/reviews/:id",
    { config: { access: "reviewer" }, schema: schemas.getReview },
    async (request) => {
      return describeReview(database, await loadReview(database, request.params.id));
    },
  );
}

function registerAnswerRoutes(app: ApiScope, needs: ReviewRoutesNeeds): void {
  const { database } = needs;

  app.post(
    "/api/reviews/:id/assign",
    { config: { access: "reviewer" }, schema: schemas.assignReview },
    async (request) => {
      const review = await loadReview(database, request.params.id);
      const { assignee } = request.body;
      if (!(await assignReview(database, review.id, assignee)))
        throw conflict("the question is already decided");
      return { id: review.id, assignee };
    },
  );

  app.post(
    "/api/reviews/:id/decision",
    { config: { access: "reviewer" }, schema: schemas.decideReview },
    async (request, reply) => {
      const caller = request.caller;
      const { decision, dryRun } = request.body;
      const review = await loadReview(database, request.params.id);
      const decided = { decision: decision as ReviewDecision, by: nameOf(caller) };
      if (dryRun) {
        assertDecided(await needs.rehearse(review.id, decided));
        return { dryRun: true as const, id: review.id, decision };
      }
      const answer = await database.transaction(async (tx) => {
        const jobId = await decide(tx, needs, review.id, decided);
        const statusUrl = `/api/jobs/${jobId}/status`;
        return keepWithEffect(tx, reply, { id: review.id, decision, jobId, statusUrl }, 202);
      });
      return reply.code(202).send(answer);
    },
  );
}

function registerUndoRoute(app: ApiScope, needs: ReviewRoutesNeeds): void {
  const { database, clock, firmDomains } = needs;
  app.post(
    "/api/reviews/:id/undo",
    { config: { access: "reviewer" }, schema: schemas.undoAnswer },
    async (request, reply) => {
      const review = await loadReview(database, request.params.id);
      const { decision, decidedAt } = review;
      if (review.status !== "applied" || decision === null || decidedAt === null)
        throw conflict(`question ${review.id} has no answer that was carried out`);
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      const person = { actor: nameOf(request.caller), firmDomains, today };
      const given = { ...review, action: decision.action, decidedAt };
      // The question is the caller's own; undoing also reads the orders of the installation.
      const undo = async (tx: Transaction) => {
        const answer = await undoAnswer(tx, person, given, request.body.reason);
        if (answer.kind === "unknown") throw notFound("there is no such decision");
        if (answer.kind === "objection") throw conflict(answer.why);
        const questions = await openReviews(tx, answer.questions);
        const { decisionId } = answer;
        const asked = answer.questions.length;
        return keepWithEffect(tx, reply, { id: review.id, decisionId, asked, questions });
      };
      return beyondTenant(() => database.transaction(undo));
    },
  );
}

async function decide(
  tx: Transaction,
  { jobs, random }: ReviewRoutesNeeds,
  id: number,
  decided: { decision: ReviewDecision; by: string },
): Promise<string> {
  assertDecided(await decideReview(tx, id, decided));
  const [jobId] = await jobs.add(tx, applyReview, [
    {
      subjectId: String(id),
      idempotencyKey: `review-${id}-${random.uuid()}`,
      payload: { review: id },
    },
  ]);
  return jobId!;
}

function assertDecided(answer: DecideAnswer): void {
  if (answer.kind === "unknown") throw notFound("there is no such question");
  if (answer.kind === "objection") throw conflict(answer.why);
}

async function loadReview(database: Database, id: string): Promise<Review> {
  const review = /^\d{1,15}$/.test(id) ? await getReview(database, Number(id)) : null;
  if (review === null)
    throw notFound(`there is no question ${id}; postroom review list shows the open ones`);
  return review;
}

/** What a person needs for a decision: what was read, where it came from, and what it may belong to. */
async function describeReview(database: Database, review: Review) {
  const { lineId, documentId, tradeId } = review;
  const about = await findReviewSubjects(database, [review.id]);
  const line = lineId === null ? null : await getTradeLine(database, lineId);
  const document = documentId === null ? null : await getDocument(database, documentId);
  const isAsked = review.status === "open" && line !== null && document !== null;
  const candidates = isAsked
    ? await database.transaction((tx) => findCandidates(tx, line, document))
    : [];
  const names = await findNames(database, [review.decidedBy]);
  return {
    ...review,
    about: about.get(review.id)!,
    decidedByName: names.get(review.decidedBy ?? "") ?? null,
    line,
    document,
    lines: documentId === null ? [] : await findTradeLines(database, documentId),
    trade: tradeId === null ? null : await getTrade(database, tradeId),
    candidates: await toViews(database, candidates),
  };
}

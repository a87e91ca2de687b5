/** The shapes of the HTTP contract. Field names are the server's own. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export type Page<T> = { items: T[]; nextCursor: string | null };
export type Person = { id: string; name: string };

export type Session = {
  user: Person & { email: string; roles: string[] };
  org: { id: string; name: string };
  mayEdit: boolean;
};

export type LanguageModel = {
  configured: boolean;
  baseUrl: string | null;
  model: string | null;
  origin: "environment" | "file" | "web" | null;
  reachable: boolean | null;
};

export type Setup = {
  dataPath: string;
  sample: boolean;
  languageModel: LanguageModel;
  ranATool: boolean;
  agents: number;
  tools: number;
};

export type Level = "read_only" | "write" | "destructive";

export type JsonSchema = {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  definitions?: Record<string, JsonSchema>;
  type?: string | string[];
  title?: string;
  description?: string;
  default?: Json;
  examples?: Json[];
  enum?: Json[];
  const?: Json;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema | boolean;
  properties?: Record<string, JsonSchema | boolean>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
};

/** With whom a tool is shared; null for those who may edit tools, and users of agents that link it. */
export type Audience = { everyone: boolean; users: string[]; roles: string[] } | null;

/** How a call is decided on. */
export type ApprovalTerms = {
  /** The roles whose members decide; the asker, where there are none. */
  approverRoles: string[];
  fourEyes: boolean;
  edit: boolean;
  grants: boolean;
  lifetimeSeconds: number | null;
};

/** Whether the calls of a tool give an event, and how much it says. */
export type EventSwitch = "off" | "name" | "data";
export type ToolEvents = { pre: EventSwitch; post: EventSwitch };

/** What an editor says of a tool beside its switches; what is not said is left out. */
export type ToolSettings = {
  icon?: string;
  buttonLabel?: string;
  timeoutMs?: number;
  outputSchema?: Json;
  approval?: ApprovalTerms;
  /** Left out where both are off. */
  events?: ToolEvents;
};

export type Tool = {
  name: string;
  title: string;
  description: string;
  kind: string;
  level: Level;
  requiresApproval: boolean;
  enabled: boolean;
  composer: boolean;
  /** The roles that may call it; empty for all. */
  roles: string[];
  audience: Audience;
  settings: ToolSettings;
  /** The file of the workspace that says all this, for editors; it is changed there alone. */
  file: string | null;
  version: number;
  source: string | null;
  inputSchema: JsonSchema;
  mayEdit: boolean;
  stats: { calls7d: number; p50Ms: number | null; errorRate: number | null };
  agents: string[];
};

export type ToolPatch = Partial<
  Pick<
    Tool,
    "enabled" | "requiresApproval" | "composer" | "roles" | "audience" | "settings" | "title" | "description"
  >
>;

export type VersionChange = { path: string; before: Json; after: Json };

/** A saved version of a tool, and what it changed of the one before. */
export type ToolVersion = {
  version: number;
  savedAt: string;
  /** Null where a release did. */
  savedBy: Person | null;
  changes: VersionChange[];
  canRestore: boolean;
};

export type CallStatus =
  | "asked"
  | "waiting"
  | "approved"
  | "running"
  | "ran"
  | "succeeded"
  | "failed"
  | "refused"
  | "rejected"
  | "expired"
  | "superseded"
  | "cancelled"
  | "not_started"
  | "unknown";

/** The way a call came in. */
export type Via = "chat" | "api" | "cli";

export type Call = {
  id: string;
  tool: string;
  /** Null, like the level, where there was no such tool. */
  toolVersion: number | null;
  title: string;
  titleDone: string | null;
  level: Level | null;
  status: CallStatus;
  waitingFor: "approval" | null;
  arguments: JsonObject | null;
  output: Json;
  error: string | null;
  shown: boolean;
  startedAt: string;
  endedAt: string | null;
  durationMs: number | null;
  asker: Person;
  agent: string | null;
  conversationId: string | null;
  via: Via;
  /** Set for a trial, which changed nothing. */
  trial: Trial | null;
  approval: Approval | null;
};

/** What a trial would have changed; null where nothing would have. */
export type Trial = { wouldChange: Card | null };

export type CallEvent = { state: string; at: string; by: string | null; reason: string | null };
/** What of a result was kept from a provider's language models: how many values of which fields. */
export type WithheldValues = { provider: string; fields: Record<string, number>; at: string };
export type CallStory = Call & { events: CallEvent[]; withheld: WithheldValues[] };

/** A call as the audit has it: anybody's, with what is sensitive masked. */
export type AuditStory = CallStory & {
  erased: boolean;
  /** The decision for later calls that covered it, so that nobody was asked. */
  grantId: string | null;
  credential: "session" | "token" | null;
};

export type AuditPerson = Person & { email: string };

/** How far the transitions of calls are sealed against changes afterwards. */
export type Chain = {
  sealedTo: number;
  unsealed: number;
  segments: number;
  sealedAt: string | null;
  /** The last entry and its hash. */
  head: string | null;
  prunedTo: number | null;
};

export type ChainProblem = { seq: number | null; callId: string | null; message: string };

export type Verification = {
  ok: boolean;
  entries: number;
  segments: number;
  sealedTo: number;
  unsealed: number;
  erased: number;
  tookMs: number;
  problems: ChainProblem[];
};

export type ApprovalStatus =
  | "pending"
  | "approved"
  | "rejected"
  | "change_requested"
  | "expired"
  | "superseded"
  | "cancelled";

export type Decision = "approve" | "reject" | "request_change";

export type CardChange = {
  id: string;
  display: string;
  fields: { field: string; label: string; before: string | null; after: string | null }[];
};

export type Card = {
  title: string;
  verb: string;
  level: Level;
  irreversible: boolean;
  summary: string | null;
  fields: { label: string; value: string }[];
  records: { id: string; display: string }[];
  recordCount: number;
  changes: CardChange[];
  arguments: JsonObject;
};

/** What is left of a card once the payload of its call was erased. */
export type ErasedCard = { [Key in keyof Card]?: undefined };

/** Stands in place of what the reader of a card may not read. */
export type Withheld = "[withheld]";

export type Approval = {
  id: string;
  callId: string;
  tool: string;
  status: ApprovalStatus;
  argumentsHash: string;
  createdAt: string;
  expiresAt: string;
  decidedAt: string | null;
  decider: Person | null;
  reason: string | null;
  mayDecide: boolean;
  /** Whether who decides may edit the arguments. */
  mayEdit: boolean;
  /** Whether the reader may decide for later calls too. */
  mayGrant: boolean;
  /** The roles whose members decide; the asker, where there are none. */
  approverRoles: string[];
  /** What it was asked with, where the arguments were edited. */
  argumentsBefore: JsonObject | Withheld | null;
  asker: Person;
  conversation: { id: string; title: string } | null;
  agent: string | null;
  card: Card | ErasedCard | Withheld;
};

/** Which later calls a decision in favour is for too. */
export type GrantKind = "once" | "conversation" | "always";

/** A decision for later calls that is in force. */
export type Grant = {
  id: string;
  tool: string;
  /** Null for calls without one. */
  agent: string | null;
  /** What of the tool it covers, as `model:operation`; all of it where that is empty. */
  scope: string;
  /** Null where it holds everywhere. */
  conversationId: string | null;
  createdAt: string;
};

export type AgentTool = { name: string; title: string; composer: boolean; level: Level };
export type Agent = {
  name: string;
  title: string;
  description: string;
  model: string | null;
  tools: AgentTool[];
  suggestions: string[];
};

export type ConversationState = "idle" | "running" | "waiting";
export type ConversationLine = {
  id: string;
  title: string;
  agent: string;
  updatedAt: string;
  state: ConversationState;
};

export type CallLine = {
  id: string;
  tool: string;
  title: string;
  status: CallStatus;
  durationMs: number | null;
  shown: boolean;
  approvalId: string | null;
  error: string | null;
};

export type NoticeKind = "step_limit" | "model_error" | "stopped" | "trial";

export type ToolPartState =
  | "input-streaming"
  | "input-available"
  | "approval-requested"
  | "approval-responded"
  | "output-available"
  | "output-error"
  | "output-denied";

export type UiPart =
  | { type: "step-start" }
  | { type: "text"; text: string; state?: "streaming" | "done" }
  | { type: "reasoning"; text: string; state?: "streaming" | "done" }
  | {
      type: "dynamic-tool";
      toolName: string;
      toolCallId: string;
      title?: string;
      state: ToolPartState;
      input?: Json;
      output?: Json;
      errorText?: string;
    }
  | { type: "data-call"; id: string; data: CallLine }
  | { type: "data-approval"; id: string; data: Approval }
  | { type: "data-notice"; id: string; data: { kind: NoticeKind; text: string } };

export type UiMessage = { id: string; role: "user" | "assistant"; parts: UiPart[] };

export type Conversation = {
  id: string;
  title: string;
  agent: string;
  state: ConversationState;
  messages: UiMessage[];
  approvals: Approval[];
};

export type Problem = {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  errors?: FieldError[];
  requestId?: string;
};
/** What is wrong at one place: of a request, or of a file of the workspace. */
export type FieldError = {
  pointer: string;
  message: string;
  path?: string;
  line?: number;
  column?: number;
};

/** Where a file of the workspace comes from, and with it where it is changed. */
export type Origin = "file" | "web";

export type DataModel = {
  name: string;
  title: string;
  titlePlural: string;
  path: string;
  origin: Origin;
  version: number | null;
  connection: string | null;
  table: string | null;
  readOnly: boolean;
  fields: number;
};

export type Connection = {
  name: string;
  database: "sqlite" | "postgres" | "mysql";
  readOnly: boolean;
  models: number;
};

export type Models = { models: DataModel[]; connections: Connection[] };

export type WorkspaceDocument = {
  path: string;
  origin: Origin;
  version: number | null;
  text: string;
  /** What the text says; null where it can't be read. */
  definition: JsonObject | null;
  savedAt: string | null;
  savedBy: Person | null;
};

/** What a change of a file does to the tables, done or only looked at. */
export type DocumentChange = {
  path: string;
  version: number | null;
  text: string;
  definition: JsonObject | null;
  steps: string[];
  losses: string[];
  saved: boolean;
};

/** Before calls a subscriber is left alone, is told, or is asked: without its consent no call runs. */
export type PreMode = "off" | "async" | "sync";

/** One that gets the events of calls. */
export type Subscriber = {
  id: string;
  /** A callback belongs to the program that embeds the application. */
  kind: "webhook" | "callback";
  name: string;
  /** Null for a callback, like its timeout. */
  url: string | null;
  /** The tools whose events it gets; empty for all. */
  tools: string[];
  pre: PreMode;
  /** Whether it is told after calls. */
  post: boolean;
  timeoutMs: number | null;
  enabled: boolean;
  version: number;
  createdAt: string | null;
  createdBy: string | null;
  waiting: number;
  dead: number;
  lastError: string | null;
};

/** What is set of a webhook. */
export type SubscriberDraft = Pick<Subscriber, "name" | "tools" | "pre" | "post" | "enabled"> & {
  url: string;
  timeoutMs: number;
};

/** What a test event came to. */
export type TestedSubscriber = { ok: boolean; status: number | null; error: string | null };

export type DeliveryStatus = "waiting" | "delivered" | "dead";

/** An event on its way to a subscriber. */
export type Delivery = {
  id: string;
  subscriberId: string;
  /** What the subscriber is called. */
  subscriber: string;
  callId: string;
  tool: string;
  event: "pre" | "post";
  status: DeliveryStatus;
  attempts: number;
  nextAt: string | null;
  error: string | null;
  createdAt: string;
  deliveredAt: string | null;
};

/** What was used of a language model, by one user through one agent on one day. */
export type UsageLine = {
  /** In UTC. */
  day: string;
  userId: string;
  user: string;
  agent: string;
  model: string;
  /** Messages that were answered. */
  requests: number;
  /** Calls of the model. */
  steps: number;
  inputTokens: number;
  outputTokens: number;
  /** Of those read, from a cache. */
  cachedTokens: number;
  /** Of those written, for reasoning. */
  reasoningTokens: number;
};

/** How much may be used; no limit where it is null. */
export type UsageLimits = { monthlyTokens: number | null; requestsPerMinute: number | null };

/** What the reader may use, and has used this month. */
export type Allowance = UsageLimits & { usedTokens: number; renewsAt: string };

export type PolicySubjectKind = "org" | "role" | "user";

/** Of whom a policy speaks: the name of a role, the id of a user, or nothing for everybody. */
export type PolicySubject = { subjectKind: PolicySubjectKind; subject: string };

export type UsagePolicy = PolicySubject & UsageLimits & { id: string; version: number };

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type SearchSchemaInput,
} from "@tanstack/react-router";
import { readAuditFilter } from "@/api/audit-filter";
import { readEventSearch } from "@/api/event-search";
import { readUsageSearch } from "@/api/usage-search";
import { NotFound } from "./not-found";
import { Shell } from "./shell";
import { SignedIn } from "./signed-in";

const text = (value: unknown): string | undefined => (typeof value === "string" && value ? value : undefined);

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const signIn = createRoute({
  getParentRoute: () => root,
  path: "sign-in",
  component: lazyRouteComponent(() => import("@/features/sign-in/sign-in-page"), "SignInPage"),
});
const signedIn = createRoute({ getParentRoute: () => root, id: "signed-in", component: SignedIn });

const chat = createRoute({
  getParentRoute: () => signedIn,
  id: "chat",
  component: lazyRouteComponent(() => import("@/features/chat/chat-layout"), "ChatLayout"),
});
const start = createRoute({
  getParentRoute: () => chat,
  path: "/",
  validateSearch: (search: { agent?: unknown } & SearchSchemaInput): { agent?: string } => {
    const agent = text(search.agent);
    return agent ? { agent } : {};
  },
  component: lazyRouteComponent(() => import("./routes/start-route"), "StartRoute"),
});
const conversation = createRoute({
  getParentRoute: () => chat,
  path: "chat/$conversationId",
  component: lazyRouteComponent(() => import("./routes/conversation-route"), "ConversationRoute"),
});

const approvals = createRoute({
  getParentRoute: () => signedIn,
  path: "approvals",
  component: lazyRouteComponent(() => import("@/features/approvals/approvals-page"), "ApprovalsPage"),
});
const tools = createRoute({
  getParentRoute: () => signedIn,
  path: "tools",
  component: lazyRouteComponent(() => import("@/features/tools/tools-page"), "ToolsPage"),
});
const tool = createRoute({
  getParentRoute: () => tools,
  path: "$name",
  validateSearch: (search: { tab?: unknown } & SearchSchemaInput): { tab?: string } => {
    const tab = text(search.tab);
    return tab ? { tab } : {};
  },
  component: lazyRouteComponent(() => import("./routes/tool-route"), "ToolRoute"),
});
const data = createRoute({
  getParentRoute: () => signedIn,
  path: "data",
  component: lazyRouteComponent(() => import("@/features/data/data-page"), "DataPage"),
});
const model = createRoute({
  getParentRoute: () => data,
  path: "$name",
  validateSearch: (search: { tab?: unknown } & SearchSchemaInput): { tab?: string } => {
    const tab = text(search.tab);
    return tab ? { tab } : {};
  },
  component: lazyRouteComponent(() => import("./routes/model-route"), "ModelRoute"),
});
// No model can have this name, for it has a hyphen.
const newModel = createRoute({
  getParentRoute: () => signedIn,
  path: "data/new-model",
  component: lazyRouteComponent(() => import("./routes/new-model-route"), "NewModelRoute"),
});
const editModel = createRoute({
  getParentRoute: () => signedIn,
  path: "data/$name/edit",
  component: lazyRouteComponent(() => import("./routes/edit-model-route"), "EditModelRoute"),
});
const agents = createRoute({
  getParentRoute: () => signedIn,
  path: "agents",
  component: lazyRouteComponent(() => import("@/features/agents/agents-page"), "AgentsPage"),
});
const calls = createRoute({
  getParentRoute: () => signedIn,
  path: "calls",
  validateSearch: (
    search: { status?: unknown; tool?: unknown } & SearchSchemaInput,
  ): { status?: string; tool?: string } => {
    const status = text(search.status);
    const name = text(search.tool);
    return { ...(status ? { status } : {}), ...(name ? { tool: name } : {}) };
  },
  component: lazyRouteComponent(() => import("./routes/calls-route"), "CallsRoute"),
});
const call = createRoute({
  getParentRoute: () => calls,
  path: "$id",
  component: lazyRouteComponent(() => import("./routes/call-route"), "CallRoute"),
});
const audit = createRoute({
  getParentRoute: () => signedIn,
  path: "audit",
  validateSearch: readAuditFilter,
  component: lazyRouteComponent(() => import("./routes/audit-route"), "AuditRoute"),
});
const auditCall = createRoute({
  getParentRoute: () => audit,
  path: "$callId",
  component: lazyRouteComponent(() => import("./routes/audit-call-route"), "AuditCallRoute"),
});
const events = createRoute({
  getParentRoute: () => signedIn,
  path: "events",
  validateSearch: readEventSearch,
  component: lazyRouteComponent(() => import("./routes/events-route"), "EventsRoute"),
});
// No subscriber has this id.
const newSubscriber = createRoute({
  getParentRoute: () => events,
  path: "new",
  component: lazyRouteComponent(() => import("./routes/new-subscriber-route"), "NewSubscriberRoute"),
});
const subscriber = createRoute({
  getParentRoute: () => events,
  path: "$subscriberId",
  component: lazyRouteComponent(() => import("./routes/subscriber-route"), "SubscriberRoute"),
});
const usage = createRoute({
  getParentRoute: () => signedIn,
  path: "usage",
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import("./routes/usage-route"), "UsageRoute"),
});
const policies = createRoute({
  getParentRoute: () => signedIn,
  path: "usage/policies",
  component: lazyRouteComponent(() => import("@/features/usage/policies-page"), "PoliciesPage"),
});
// No policy has this id.
const newPolicy = createRoute({
  getParentRoute: () => policies,
  path: "new",
  component: lazyRouteComponent(() => import("./routes/new-policy-route"), "NewPolicyRoute"),
});
const policy = createRoute({
  getParentRoute: () => policies,
  path: "$policyId",
  component: lazyRouteComponent(() => import("./routes/policy-route"), "PolicyRoute"),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: "settings",
  component: lazyRouteComponent(() => import("@/features/settings/settings-page"), "SettingsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signedIn.addChildren([
      chat.addChildren([start, conversation]),
      approvals,
      tools.addChildren([tool]),
      data.addChildren([model]),
      newModel,
      editModel,
      agents,
      calls.addChildren([call]),
      audit.addChildren([auditCall]),
      events.addChildren([newSubscriber, subscriber]),
      usage,
      policies.addChildren([newPolicy, policy]),
      settings,
    ]),
  ]),
  defaultPreload: "intent",
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

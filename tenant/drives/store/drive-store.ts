import type { TenantContext } from "../../context.ts";
import type { Random } from "../../random.ts";
import type { Container, Drive, Item, Role } from "./drive-model.ts";
import type { TreeWorld } from "./drive-tree.ts";

/** What a container type lets an app do with its containers, with and without a user. */
export interface Registration {
  readonly containerTypeId: string;
  readonly appId: string;
  /** `full`, or any of the permissions that the service defines. */
  delegated: string[];
  appOnly: string[];
}

export interface ContainerType {
  readonly id: string;
  readonly name: string;
  readonly owningAppId: string;
  readonly billingClassification: string;
}

export interface DriveStore {
  readonly containers: Map<string, Container>;
  registrations: Registration[];
  /** Those that administrators made. */
  types: ContainerType[];
  /** The type that the tenant's own apps may use without being registered one by one. */
  ownTypeId: string;
  findRegistration(containerTypeId: string, appId: string): Registration | undefined;
  isUser(objectId: string): boolean;
  readonly world: TreeWorld;
  createContainer(wanted: NewContainer): Container;
  /** Called after every change in a drive. */
  onChange(listener: (drive: Drive, item: Item) => void): () => void;
  snapshot(): unknown;
  restore(state: unknown): void;
}

export interface NewContainer {
  readonly displayName: string;
  readonly containerTypeId: string;
  readonly description?: string;
  readonly createdBy: string;
  readonly status?: Container["status"];
  readonly settings?: Partial<Container["settings"]>;
  readonly members?: readonly { userId: string; role: Role }[];
}

interface SavedDrives extends Pick<DriveStore, "registrations" | "types" | "ownTypeId"> {
  readonly containers: readonly Container[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const TERABYTE = 1024 ** 4;
const ID_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function createDriveStore(context: TenantContext): DriveStore {
  const random = context.random.fork("drives");
  const containers = new Map<string, Container>();
  const listeners = new Set<(drive: Drive, item: Item) => void>();

  const world: TreeWorld = {
    now: () => context.clock.now(),
    uuid: () => random.uuid(),
    itemId: () => `01${Array.from({ length: 32 }, () => random.pick([...ID_CHARACTERS])).join("")}`,
    changed(drive, item, what) {
      const { id, name } = item;
      context.journal.record(`drive.item-${what}`, { drive: drive.id, item: id, name });
      for (const listener of listeners) listener(drive, item);
    },
  };

  /** An inactive container is deleted after a day. */
  const watchOver = (container: Container) => {
    if (container.status === "active") return;
    const leftMs = container.createdMs + DAY_MS - context.clock.now();
    context.clock.after(leftMs, () => {
      if (container.status !== "inactive" || containers.get(container.id) !== container) return;
      containers.delete(container.id);
      context.journal.record("drive.container-expired", { container: container.id });
    });
  };

  const store: DriveStore = {
    containers,
    registrations: [],
    types: [],
    ownTypeId: context.random.fork("container-type").uuid(),
    findRegistration(containerTypeId, appId) {
      const known = store.registrations.find(
        (each) => each.containerTypeId === containerTypeId && each.appId === appId,
      );
      const isOwn = containerTypeId === store.ownTypeId;
      const isOwnApp = context.apps.some((app) => app.appId === appId);
      if (known !== undefined || !isOwn || !isOwnApp) return known;
      return { containerTypeId, appId, delegated: ["full"], appOnly: ["full"] };
    },
    isUser: (objectId) => context.users.some(({ id }) => id === objectId),
    world,
    createContainer(wanted) {
      const container = toContainer(wanted, world, random);
      containers.set(container.id, container);
      watchOver(container);
      context.journal.record("drive.container-created", { container: container.id });
      return container;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    snapshot: () => ({
      containers: [...containers.values()],
      registrations: store.registrations,
      types: store.types,
      ownTypeId: store.ownTypeId,
    }),
    restore(state) {
      // Saved states of earlier versions have no types.
      const { containers: saved, registrations, types = [], ownTypeId } = state as SavedDrives;
      Object.assign(store, { registrations, types, ownTypeId });
      containers.clear();
      for (const container of saved) {
        containers.set(container.id, container);
        watchOver(container);
      }
    },
  };
  return store;
}

/** The container as the service completes it, with an empty drive. */
function toContainer(wanted: NewContainer, world: TreeWorld, random: Random): Container {
  const id = `b!${random.bytes(48).toString("base64url")}`;
  return {
    id,
    containerTypeId: wanted.containerTypeId,
    displayName: wanted.displayName,
    description: wanted.description ?? "",
    status: wanted.status ?? "inactive",
    lockState: "unlocked",
    createdMs: world.now(),
    createdBy: wanted.createdBy,
    deletedMs: null,
    permissions: (wanted.members ?? []).map(({ userId, role }) => ({
      id: random.bytes(24).toString("base64url"),
      roles: [role],
      userId,
    })),
    settings: { isItemVersioningEnabled: true, itemMajorVersionLimit: 50, ...wanted.settings },
    customProperties: {},
    quotaBytes: 25 * TERABYTE,
    drive: createDrive(id, world),
  };
}

function createDrive(id: string, world: TreeWorld): Drive {
  const nowMs = world.now();
  const root: Item = {
    id: world.itemId(),
    name: "root",
    parentId: null,
    isFolder: true,
    description: "",
    createdMs: nowMs,
    createdBy: "",
    modifiedMs: nowMs,
    modifiedBy: "",
    uniqueId: world.uuid(),
    eTagCount: 1,
    cTagCount: 0,
    versions: [],
    changedAt: 1,
    changedAtMs: nowMs,
    isDeleted: false,
    checkedOutBy: null,
  };
  return { id, rootId: root.id, items: new Map([[root.id, root]]), changes: 1, usedBytes: 0 };
}

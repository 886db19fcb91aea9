import type {JsonObject} from '../../text/json.ts';
import {isEnvelope, type ServiceAnswer} from '../http/answer.ts';
import type {World} from '../world/world.ts';

/** Kinds of operations, as the datasets name them. */
export const actionTypes = ['read', 'write', 'delete', 'list'] as const;
export type ActionType = (typeof actionTypes)[number];

/** The operations on a namespace in a minute; `minute` counts from the epoch. */
export type Usage = {
	readonly namespace: string;
	readonly minute: number;
	readonly counts: Readonly<Record<ActionType, number>>;
};

/** Kinds of operations, by the `operation` of the route. */
const actionByOperation: Readonly<Record<string, ActionType>> = {
	get: 'read',
	'get metadata': 'read',
	'bulk get keys': 'read',
	put: 'write',
	'bulk put': 'write',
	'remove key': 'delete',
	'bulk remove': 'delete',
	'list keys': 'list',
};

const usageKind = 'kv-usage';
const retentionMinutes = 32 * 24 * 60;

/**
 * Counts the calls to the store in memory, so that reading a key writes nothing. The counts are written to
 * the world by analytics queries, and when the simulator closes.
 */
export class KvUsage {
	readonly #pending = new Map<World, Map<string, Usage>>();

	/** Counts a successful call; a bulk request counts once for each key. */
	count(world: World, namespace: string, operation: string, answer: ServiceAnswer, now: number): void {
		const action = actionByOperation[operation];
		if (!action || answer.status >= 400) return;
		const minute = Math.floor(now / 60_000);
		const pending = this.#pending.get(world) ?? new Map<string, Usage>();
		this.#pending.set(world, pending);
		const id = `${namespace} ${minute}`;
		const counts = pending.get(id)?.counts ?? {read: 0, write: 0, delete: 0, list: 0};
		pending.set(id, {
			namespace,
			minute,
			counts: {...counts, [action]: counts[action] + countAffectedKeys(answer)},
		});
	}

	/** Writes the pending counts to the world. */
	flush(world: World): void {
		const pending = this.#pending.get(world);
		if (!pending || pending.size === 0) return;
		world.runTransaction(() => {
			for (const [id, usage] of pending) {
				const storedUsage = world.resources.get(usageKind, usageKind, id) as unknown as Usage | undefined;
				const counts = Object.fromEntries(
					actionTypes.map(action => [action, usage.counts[action] + (storedUsage?.counts[action] ?? 0)]),
				);
				world.resources.set(usageKind, usageKind, id, {...usage, counts});
			}
		});
		pending.clear();
	}

	/** Returns the counts of the last 32 days, including those of other processes; deletes older ones. */
	read(world: World, now: number): readonly Usage[] {
		this.flush(world);
		const allUsage = world.resources.list(usageKind, usageKind) as unknown as readonly Usage[];
		const oldestMinute = Math.floor(now / 60_000) - retentionMinutes;
		for (const {namespace, minute} of allUsage)
			if (minute < oldestMinute) world.resources.delete(usageKind, usageKind, `${namespace} ${minute}`);
		return allUsage.filter(({minute}) => minute >= oldestMinute);
	}

	/** Discards the pending counts. */
	clear(): void {
		this.#pending.clear();
	}
}

function countAffectedKeys({body}: ServiceAnswer): number {
	if (!isEnvelope(body) || typeof body.result !== 'object' || body.result === null) return 1;
	const result = body.result as JsonObject;
	if (typeof result.successful_key_count === 'number') return result.successful_key_count;
	return typeof result.values === 'object' && result.values !== null ? Object.keys(result.values).length : 1;
}

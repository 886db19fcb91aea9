import type {JsonObject} from '../../text/json.ts';
import {type Configuration, readConfiguration} from '../configuration/configuration.ts';
import {readEntryPoint} from '../zone/entry-point.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {factsIn} from '../zone/snapshot-facts.ts';
import {changesTo, type MigrationPlan, planMigration} from './plan.ts';

/** What a review begins with: what the service proposes; while both versions are on, what is in force. */
export function begunWith(snapshot: Snapshot, stage = factsIn(snapshot).stage): Configuration | undefined {
	const {proposed, entryPoint} = snapshot;
	if (stage === 'validation' && entryPoint) return readEntryPoint(entryPoint).configuration;
	return proposed ? readConfiguration(proposed, 'What the service proposes') : undefined;
}

/**
 * The plan for a review: what a person changed is compared with what the review began with. `deleted`: overrides that only
 * a backup holds.
 */
export function planReview(
	snapshot: Snapshot,
	configuration: Configuration,
	deleted: readonly JsonObject[],
): MigrationPlan {
	const plan = planMigration(snapshot, configuration, deleted);
	const begun = begunWith(snapshot);
	return begun ? {...plan, ...changesTo(begun, configuration, snapshot)} : plan;
}

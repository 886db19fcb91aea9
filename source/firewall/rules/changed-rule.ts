import {isDeepStrictEqual} from 'node:util';
import {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {type CommandZone, showing} from '../continuation.ts';
import {orAbsent} from './filters.ts';
import type {Rule} from './rule.ts';
import {ruleById} from './rules.ts';

/** What differs between two readings of a rule, as its properties are named. */
export function listChanges({filter: old, ...before}: Rule, {filter, ...now}: Rule): string[] {
	const differing = (one: object, other: object): string[] =>
		[...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
			name => !isDeepStrictEqual((one as never)[name], (other as never)[name]),
		);
	return [...differing(before, now), ...differing(old, filter).map(name => `filter ${name}`)];
}

/**
 * Reads a rule right before it is deleted. Fails with `changed_meanwhile` if it is no longer as it was shown; one that is
 * gone passes, as the deletion reports that.
 */
export async function refuseChangedRule(
	client: Client,
	zone: CommandZone,
	shown: Rule,
	signal: AbortSignal,
): Promise<void> {
	if (client.dryRun) return;
	const {id} = shown;
	const now = await orAbsent(() => ruleById(client, zone.id, id, signal));
	const changes = now ? listChanges(shown, now) : [];
	if (changes.length === 0) return;
	throw new Failure('changed_meanwhile', `Rule ${id} has changed since it was shown.`, {
		why: `Someone else changed: ${changes.join(', ')}.`,
		left: `Rule ${id} was not deleted.`,
		next: `See what it is now: ${showing(zone, 'rule', id)}`,
	});
}

import {Failure} from '../../failure.ts';
import {type Configuration, fingerprint} from '../../migration/configuration/configuration.ts';
import {applyEdit, type Edit} from '../../migration/configuration/edits.ts';
import {idFindings} from '../../migration/configuration/execute-checks.ts';
import type {ManagedEditor} from './host.ts';

/**
 * Applies an edit; undefined if it changes nothing. Fails as `applyEdit` does, and with `usage` if the edit
 * names an id that the zone's managed rulesets do not have, because the service refuses that.
 */
export function withEdit(
	{configuration: before, managed, begun}: Pick<ManagedEditor, 'configuration' | 'managed' | 'begun'>,
	edit: Edit,
): Configuration | undefined {
	const after = applyEdit(before, edit);
	if (isSame(before, after)) return undefined;
	const unknown = ({rules}: Configuration) =>
		rules.flatMap(rule => idFindings(rule, managed, begun).map(({sentence}) => sentence));
	const known = new Set(unknown(before));
	const added = unknown(after).find(sentence => !known.has(sentence));
	if (added === undefined) return after;
	throw new Failure('usage', added, {
		why: 'Nothing was changed.',
		next: 'Use the id of a rule of that ruleset, as the dashboard or the Rulesets API shows it.',
	});
}

/** True if two configurations are the same to the service. */
export const isSame = (one: Configuration, other: Configuration): boolean =>
	one === other || fingerprint(one) === fingerprint(other);

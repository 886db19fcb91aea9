import {exceptionRule} from '../configuration/exceptions.ts';
import {exceptionFor} from './candidates.ts';
import type {Comparison} from './comparison.ts';
import type {Place} from './places.ts';
import type {Rise} from './rise.ts';

const time = (at: number): string => new Date(at).toISOString();

/** Converts a comparison to the JSON of `--json`. */
export function comparisonJson(comparison: Comparison) {
	const {begun, since, until, isSampled, counts, by, rules, places, candidates, before} = comparison;
	return {
		begun: time(begun),
		since: time(since),
		until: time(until),
		estimated: isSampled,
		before: before ? {since: time(before.since), until: time(before.until)} : null,
		versions: counts,
		comparedBy: by ?? null,
		rules: rules.map(({version, rule, name, actions, stopped, logged, skipped}) => ({
			version,
			rule,
			name,
			stopped,
			logged,
			skipped,
			actions: Object.fromEntries(actions.map(({action, events}) => [action, events])),
		})),
		onlyNew: places.filter(({version}) => version === 'new').map(placeJson),
		onlyPrevious: places.filter(({version}) => version === 'previous').map(placeJson),
		candidates: candidates.map(candidate => {
			const {addresses, byOthers, mostOfOne, countries} = candidate;
			const exception = exceptionFor(candidate);
			return {
				...placeJson(candidate),
				addresses: addresses ?? null,
				addressesStoppedByOtherRules: byOthers ?? null,
				mostFromOneAddress: mostOfOne ?? null,
				countries: countries ?? null,
				exception: exception ? exceptionRule(exception) : null,
			};
		}),
	};
}

const placeJson = ({rule, name, ruleset, host, path, stopped, only, other, before}: Place) => ({
	rule,
	name,
	ruleset: ruleset ?? null,
	host,
	path,
	stopped,
	stoppedByThisVersionAlone: only,
	stoppedThereByOtherVersion: other,
	stoppedThereBefore: before ?? null,
});

/** Converts a rise to the JSON of `--json`. */
export const riseJson = ({stopped, expected, now, inValidation, isSampled}: Rise) => ({
	stopped,
	expectedAtMost: expected,
	estimated: isSampled,
	since: time(now.since),
	until: time(now.until),
	validation: {since: time(inValidation.since), until: time(inValidation.until)},
});

import {buildExceptionRule} from '../configuration/exceptions.ts';
import {buildCandidateException} from './candidates.ts';
import type {VersionComparison} from './comparison.ts';
import type {EventPlace} from './places.ts';
import type {Rise} from './rise.ts';

const toIsoTime = (at: number): string => new Date(at).toISOString();

/** Converts a comparison to the JSON of `--json`. */
export function toComparisonJson(comparison: VersionComparison) {
	const {begun, since, until, isSampled, counts, by, rules, places, candidates, before} = comparison;
	return {
		begun: toIsoTime(begun),
		since: toIsoTime(since),
		until: toIsoTime(until),
		estimated: isSampled,
		before: before ? {since: toIsoTime(before.since), until: toIsoTime(before.until)} : null,
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
		onlyNew: places.filter(({version}) => version === 'new').map(toPlaceJson),
		onlyPrevious: places.filter(({version}) => version === 'previous').map(toPlaceJson),
		candidates: candidates.map(candidate => {
			const {addresses, byOthers, mostOfOne, countries} = candidate;
			const exception = buildCandidateException(candidate);
			return {
				...toPlaceJson(candidate),
				addresses: addresses ?? null,
				addressesStoppedByOtherRules: byOthers ?? null,
				mostFromOneAddress: mostOfOne ?? null,
				countries: countries ?? null,
				exception: exception ? buildExceptionRule(exception) : null,
			};
		}),
	};
}

const toPlaceJson = ({rule, name, ruleset, host, path, stopped, only, other, before}: EventPlace) => ({
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
export const toRiseJson = ({stopped, expected, now, inValidation, isSampled}: Rise) => ({
	stopped,
	expectedAtMost: expected,
	estimated: isSampled,
	since: toIsoTime(now.since),
	until: toIsoTime(now.until),
	validation: {since: toIsoTime(inValidation.since), until: toIsoTime(inValidation.until)},
});

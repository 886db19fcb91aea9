import {isFailure} from '../../failure.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {actionsOf, copying, filtering, readOnly, withFound} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {selectedVersion} from './slice.ts';

const action = actionsOf('Versions', ['versions']);
const none = 'there is no version here';

/** The version under the cursor with its rules, where they were read. */
function versionHere({versions: {data: versions}}: LedgeState): Ruleset | undefined {
	const selected = selectedVersion(versions);
	const rules = selected && versions?.contents.get(selected.version);
	return selected && rules && !isFailure(rules) ? {...selected, rules} : undefined;
}

function notRestorable(state: LedgeState): string | undefined {
	const selected = selectedVersion(state.versions.data);
	if (state.connection.data?.readOnly) return readOnly(state);
	if (!selected) return none;
	if (selected.version === state.versions.data?.of.ruleset.version) return 'this version is in force';
	return versionHere(state) ? undefined : 'its rules were not read';
}

/** What can be done with the versions of a ruleset. */
export const versionsActions: readonly Action[] = [
	action('versions.restore', ['enter'], 'restore the rules of this version', {
		hint: 'restore',
		words: ['roll back', 'revert', 'undo', 'restore version'],
		destroys: true,
		...withFound(
			versionHere,
			none,
			({state}, version) => state().versions.data?.of.restore(version),
			notRestorable,
		),
	}),
	action('versions.filter', ['/'], 'show only the versions with a text in number or time', filtering),
	action('versions.copy', ['y'], 'copy the number of the version', {
		hint: 'copy',
		...copying(({versions: {data: versions}}) => selectedVersion(versions)?.version, none),
	}),
];

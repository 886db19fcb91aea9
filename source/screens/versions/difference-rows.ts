import {isFailure} from '../../failure.ts';
import {changeSentence} from '../../rulesets/change.ts';
import {changesBetween} from '../../rulesets/difference.ts';
import {restored} from '../../rulesets/edit-to.ts';
import {counted} from '../../text/figures.ts';
import {type Row, said} from '../rows/rows.ts';
import {selectedVersion, type VersionsState} from './slice.ts';

/** What restoring the version under the cursor would change, in rows of at most so many columns. */
export function differenceRows(versions: VersionsState, columns: number): readonly Row[] {
	const version = selectedVersion(versions)?.version;
	const {contents, of} = versions;
	if (version === undefined) return [];
	if (version === of.ruleset.version) return said(`Version ${version} is in force.`, columns, 'head');
	if (!contents.has(version)) return said(`Reading version ${version}…`, columns, 'dim');
	const rules = contents.get(version);
	if (rules === undefined) return said(`The service no longer has version ${version}.`, columns, 'warning');
	if (isFailure(rules)) return said([rules.message, rules.next], columns, 'danger');
	const {sentence = changeSentence} = of;
	const changes = changesBetween(of.ruleset.rules, restored(of.ruleset.rules, rules));
	if (changes.length === 0)
		return said(`Version ${version} has the rules that are in force.`, columns, 'head');
	return [
		...said(`Restoring version ${version}: ${counted(changes.length, 'change')}`, columns, 'head'),
		...changes.flatMap(change => said(sentence(change, 'planned'), columns, 'plain', 2)),
	];
}

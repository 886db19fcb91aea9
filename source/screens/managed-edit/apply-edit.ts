import {Failure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {computeFingerprint, type ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import {applyEdit, type ConfigurationEdit} from '../../migration/configuration/edits.ts';
import {checkManagedIds} from '../../migration/configuration/execute-checks.ts';
import type {ManagedEditor} from './editor.ts';

/**
 * Applies an edit; undefined if it changes nothing. Fails as `applyEdit` does, and with `usage` if the edit
 * names an id that the zone's managed rulesets do not have, because the service refuses that.
 */
export function withEdit(
	{
		configuration: currentConfiguration,
		catalogue,
		initialConfiguration,
	}: Pick<ManagedEditor, 'configuration' | 'catalogue' | 'initialConfiguration'>,
	edit: ConfigurationEdit,
): ManagedConfiguration | undefined {
	const editedConfiguration = applyEdit(currentConfiguration, edit);
	if (isSameConfiguration(currentConfiguration, editedConfiguration)) return undefined;
	const listIdProblems = ({rules}: ManagedConfiguration) =>
		rules.flatMap(rule =>
			checkManagedIds(rule, catalogue, initialConfiguration).map(({sentence}) => sentence),
		);
	const knownProblems = new Set(listIdProblems(currentConfiguration));
	const newProblem = listIdProblems(editedConfiguration).find(sentence => !knownProblems.has(sentence));
	if (newProblem === undefined) return editedConfiguration;
	throw new Failure('usage', newProblem, {
		why: 'Nothing was changed.',
		next:
			edit.kind === 'category override'
				? `Choose a category of that ruleset: ${nameKey('managed.edit-override', 'O')} lists them.`
				: 'Use the id of a rule in that ruleset, as shown by the dashboard or the Rulesets API.',
	});
}

/** True if two configurations are the same to the service. */
export const isSameConfiguration = (one: ManagedConfiguration, other: ManagedConfiguration): boolean =>
	one === other || computeFingerprint(one) === computeFingerprint(other);

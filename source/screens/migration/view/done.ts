import type {Configuration} from '../../../migration/configuration/configuration.ts';
import {executedRuleset} from '../../../migration/configuration/override-edits.ts';
import {isOn} from '../../../migration/configuration/rule-overrides.ts';
import {deployedInWords, isDeployedOn} from '../../../migration/flow/verification.ts';
import {mayHaveFinished} from '../../../migration/machine/observation.ts';
import {isComplete} from '../../../migration/machine/states.ts';
import {differenceRows} from '../../managed-edit/table.ts';
import {type Body, failureRows, type Place} from '../../rows/body.ts';
import {exactFact, fact, indented, marked, type Row, said, spaced} from '../../rows/rows.ts';
import {migrationChoices} from '../choices.ts';
import {commandThere} from '../leaving.ts';
import {type MigrationState, whyHeld} from '../state.ts';
import {lostRows} from './review.ts';
import {ago, choiceRows, pathFact} from './rows.ts';
import {seenRows} from './start.ts';
import {riseRows} from './watch.ts';

/** Builds the last step: what is deployed, what is gone, and what is left to do manually. */
export function doneBody(migration: MigrationState, place: Place): Body {
	const {verification, record, zone} = migration;
	const {columns, marks, now} = place;
	const isMigrated = isComplete(record.state);
	const lost = lostRows(migration, place);
	return {
		rows: spaced(
			failureRows(whyHeld(migration), place),
			[
				...(isMigrated
					? marked(
							marks.done,
							`${zone.name} is migrated: the new version only${record.completed === undefined || !mayHaveFinished(record) ? '' : `, first seen ${ago(record.completed, now)}`}.`,
							columns,
							'good',
						)
					: marked(marks.warning, `It stands otherwise now: ${record.state}.`, columns, 'warning')),
				...sameRows(migration, place),
			],
			failureRows(migration.failure, place),
			riseRows(migration, place),
			rulesetRows(migration, place),
			said('The managed rules no longer have a global switch: each ruleset is deployed by itself.', columns),
			verification
				? differenceRows('Differences', ['reviewed', 'now'], verification.differences, columns, marks)
				: [],
			lost,
			keptRows(migration, place),
			isMigrated ? [] : seenRows(migration, place),
		),
		tail: choiceRows(migrationChoices(migration), migration.cursor, place),
	};
}

/** Builds the result of the verification, and its findings. */
function sameRows({verification, record, phase}: MigrationState, {columns, marks}: Place): Row[] {
	if (!verification)
		return phase.name === 'asking'
			? marked(marks.warning, 'What is deployed was not verified yet.', columns, 'warning')
			: marked(marks.now, 'What is deployed is being read.', columns, 'here');
	return [
		...(verification.sameAsReviewed
			? marked(marks.done, 'Verified by reading: it is what was reviewed.', columns, 'good')
			: []),
		...(record.reviewed
			? []
			: marked(
					marks.warning,
					'Read, but not compared: what was reviewed is not known here.',
					columns,
					'warning',
				)),
		...verification.findings.flatMap(text => marked(marks.warning, text, columns, 'warning')),
	];
}

function rulesetRows({verification, configuration, record}: MigrationState, {columns, marks}: Place): Row[] {
	if (!verification) return [];
	const {managedRulesets, newWaf, oldWaf} = verification;
	return [
		...managedRulesets.flatMap(ruleset => {
			const {id, name, is} = ruleset;
			const isOnForAll = is === 'on' && ruleset.only === undefined;
			const isPart = isDeployedOn(ruleset) && !isOnForAll;
			// A ruleset that is not in the configuration may be absent.
			const isMissing =
				!isDeployedOn(ruleset) &&
				record.reviewed !== undefined &&
				configuration !== undefined &&
				executes(configuration, id);
			return [
				...marked(
					isOnForAll ? marks.done : isPart || isMissing ? marks.warning : marks.none,
					[name, ...deployedInWords(ruleset)].join(', '),
					columns,
					isOnForAll ? 'good' : isPart || isMissing ? 'warning' : 'dim',
				),
				...said(id, columns - 2, 'dim').map(indented),
			];
		}),
		...fact('versions', `new ${newWaf ?? 'not said'}, previous ${oldWaf ?? 'not said'}`, columns),
	];
}

/** True if a configuration deploys a managed ruleset that is on. */
const executes = ({rules}: Configuration, id: string): boolean =>
	rules.some(rule => executedRuleset(rule) === id && isOn(rule));

/** Builds rows with the paths of report and backup. */
function keptRows(migration: MigrationState, {columns}: Place): Row[] {
	const {report, backup, record} = migration;
	const folder = backup?.folder ?? record.backup?.folder;
	return [
		...(report === undefined ? [] : pathFact('report', report, migration, columns)),
		...(folder === undefined ? [] : pathFact('backup', folder, migration, columns)),
		...exactFact('terraform', commandThere(migration, 'export', '--format', 'terraform'), columns),
	];
}

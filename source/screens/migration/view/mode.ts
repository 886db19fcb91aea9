import {formatFingerprint} from '../../../migration/configuration/configuration.ts';
import {stateTable} from '../../../migration/machine/states.ts';
import {formatQuantity} from '../../../text/figures.ts';
import {buildDifferenceRows} from '../../managed-edit/table.ts';
import {type Body, buildFailureRows, type LayoutArea} from '../../rows/body.ts';
import {
	buildMarkedRows,
	buildNamedRows,
	buildTextRows,
	indentRow,
	joinWithBlankRows,
	type Row,
} from '../../rows/rows.ts';
import {listMigrationChoices} from '../choices.ts';
import {describeOwnChanges} from '../messages.ts';
import {findLockFailure, type MigrationState} from '../state.ts';
import {buildChoiceRows} from './rows.ts';

/** Builds the step to choose the mode: direct, or validation first. */
export function buildModeBody(migration: MigrationState, area: LayoutArea): Body {
	const {columns, marks, rows} = area;
	const isSmall = rows < 12;
	const buildModeRows = (title: string, ...texts: readonly string[]): Row[] => [
		[{text: title, look: 'head'}],
		...texts.flatMap(text => buildTextRows(text, columns - 2).map(indentRow)),
	];
	return {
		rows: joinWithBlankRows(
			buildFailureRows(findLockFailure(migration), area),
			buildFailureRows(migration.failure, area),
			buildModeRows(
				'Validation first',
				'Both versions are active, and the new one runs first. You check what it does to real requests and turn off the previous version when you are ready.',
				...(isSmall ? [] : ['Enterprise plan only. No rollback from validation is documented either.']),
			),
			buildModeRows(
				'Direct',
				'The previous version is turned off as soon as the service has the configuration. This cannot be undone.',
			),
			isSmall
				? []
				: buildMarkedRows(marks.dot, 'Choosing sends nothing yet: you confirm later.', columns, 'dim'),
		),
		tail: buildChoiceRows(listMigrationChoices(migration), migration.cursor, area),
	};
}

/** Builds the rehearsal step: what a rehearsal does, or the result of the last one. */
export function buildRehearsalBody(migration: MigrationState, area: LayoutArea): Body {
	const {rehearsal} = migration;
	const {columns} = area;
	return {
		rows: joinWithBlankRows(
			buildFailureRows(findLockFailure(migration), area),
			buildFailureRows(migration.failure, area),
			...(rehearsal
				? buildRehearsalResultRows(migration, area)
				: [
						buildTextRows(
							`A rehearsal copies the contents of ${migration.zone.name} into the simulated service, in this process, and runs the whole migration there with exactly this configuration. The zone itself is only read.`,
							columns,
						),
						buildTextRows('The result is compared with the plan.', columns),
					]),
		),
		tail: buildChoiceRows(listMigrationChoices(migration), migration.cursor, area),
	};
}

/** Builds the result in one line, then its details. */
function buildRehearsalResultRows(migration: MigrationState, {columns, marks, rows}: LayoutArea): Row[][] {
	const {rehearsal, plan} = migration;
	if (!rehearsal) return [];
	const {
		sameAsPlanned,
		fingerprint,
		ended: finalState,
		refused: refusal,
		differences,
		steps,
		goal,
	} = rehearsal;
	const isOtherConfiguration = plan !== undefined && plan.fingerprint !== fingerprint;
	const planTexts =
		plan && !isOtherConfiguration
			? [`${formatQuantity(plan.rules, 'rule')} as planned`, ...describeOwnChanges(migration)]
			: ['as planned'];
	return [
		sameAsPlanned
			? buildMarkedRows(marks.done, `Rehearsed: ${planTexts.join(', ')}`, columns, 'good')
			: buildMarkedRows(
					marks.failed,
					`Rehearsed: not as planned, it ended "${finalState}"`,
					columns,
					'danger',
				),
		isOtherConfiguration
			? buildMarkedRows(
					marks.warning,
					'The configuration has changed since this rehearsal.',
					columns,
					'warning',
				)
			: [],
		[
			...buildNamedRows(
				'path',
				goal === 'validation' ? 'through validation, then deployed' : 'deployed directly',
				columns,
			),
			...buildNamedRows('ended', `${finalState}: ${stateTable[finalState].meaning}`, columns),
			...buildNamedRows('fingerprint', formatFingerprint(fingerprint), columns),
			...(refusal === undefined ? [] : buildNamedRows('rejected', refusal, columns)),
		],
		buildDifferenceRows('Differences', ['planned', 'actual'], differences, columns, marks),
		sameAsPlanned && rows < 12
			? []
			: steps.flatMap(sentence => buildMarkedRows(marks.dot, sentence, columns, 'dim')),
	];
}

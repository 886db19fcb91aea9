import {shownFingerprint} from '../../../migration/configuration/configuration.ts';
import {differenceRows} from '../../managed-edit/table.ts';
import {type Body, failureRows, type Place} from '../../rows/body.ts';
import {indented, marked, type Row, said, spaced} from '../../rows/rows.ts';
import {migrationChoices} from '../choices.ts';
import {type MigrationState, whyHeld} from '../state.ts';
import {choiceRows} from './rows.ts';

/** Builds the step to choose the mode: direct, or validation first. */
export function pathBody(migration: MigrationState, place: Place): Body {
	const {columns, marks, rows} = place;
	const isSmall = rows < 12;
	const way = (title: string, ...texts: readonly string[]): Row[] => [
		[{text: title, look: 'head'}],
		...texts.flatMap(text => said(text, columns - 2).map(indented)),
	];
	return {
		rows: spaced(
			failureRows(whyHeld(migration), place),
			failureRows(migration.failure, place),
			way(
				'Validation first',
				'Both versions are on, the new one runs first. You look at what it does to real requests, and turn the previous version off when you are ready.',
				...(isSmall ? [] : ['Only Enterprise zones have it. No way back from it is documented either.']),
			),
			way(
				'Direct',
				'The previous version is turned off as soon as the service has the configuration. It cannot be undone.',
			),
			isSmall
				? []
				: marked(
						marks.dot,
						'Nothing is sent yet by choosing: the confirmation comes after this.',
						columns,
						'dim',
					),
		),
		tail: choiceRows(migrationChoices(migration), migration.cursor, place),
	};
}

/** Builds the rehearsal step: what a rehearsal does, or the result of the last one. */
export function rehearseBody(migration: MigrationState, place: Place): Body {
	const {rehearsal} = migration;
	const {columns} = place;
	return {
		rows: spaced(
			failureRows(whyHeld(migration), place),
			failureRows(migration.failure, place),
			...(rehearsal
				? resultRows(migration, place)
				: [
						said(
							`A rehearsal copies what ${migration.zone.name} holds into the simulated service, in this process, and takes it all the way there with exactly this configuration. The zone itself is only read.`,
							columns,
						),
						said('What comes of it is compared with the plan.', columns),
					]),
		),
		tail: choiceRows(migrationChoices(migration), migration.cursor, place),
	};
}

function resultRows({rehearsal, plan}: MigrationState, {columns, marks}: Place): Row[][] {
	if (!rehearsal) return [];
	const {sameAsPlanned, fingerprint, ended, differences, steps, goal} = rehearsal;
	const isOther = plan !== undefined && plan.fingerprint !== fingerprint;
	return [
		sameAsPlanned
			? marked(
					marks.done,
					`As planned: it ended "${ended}", ${goal === 'validation' ? 'through validation' : 'directly'}, with fingerprint ${shownFingerprint(fingerprint)}.`,
					columns,
					'good',
				)
			: marked(
					marks.failed,
					`Not as planned: it ended "${ended}", with fingerprint ${shownFingerprint(fingerprint)}.`,
					columns,
					'danger',
				),
		isOther
			? marked(
					marks.warning,
					'The configuration was changed since: this was another one.',
					columns,
					'warning',
				)
			: [],
		differenceRows('Differences', ['planned', 'was there'], differences, columns, marks),
		sameAsPlanned ? [] : steps.flatMap(sentence => marked(marks.dot, sentence, columns, 'plain')),
	];
}

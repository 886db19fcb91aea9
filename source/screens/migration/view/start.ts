import {movedOnInWords} from '../../../migration/machine/observation.ts';
import {stageWords} from '../../../migration/machine/stage.ts';
import {hasMovedOn, isComplete, isSurprise, isUnread} from '../../../migration/machine/states.ts';
import type {Eligibility} from '../../../migration/zone/eligibility.ts';
import {counted, grouped} from '../../../text/figures.ts';
import {differenceRows} from '../../managed-edit/table.ts';
import {type Body, failureRows, type Place} from '../../rows/body.ts';
import {fact, marked, type Row, said, spaced} from '../../rows/rows.ts';
import {migrationChoices, stateInWords} from '../choices.ts';
import {isOpen, isResumed, type MigrationState, whyHeld} from '../state.ts';
import {ago, choiceRows, pathFact} from './rows.ts';

/** Builds the first step: the zone, and what will happen. */
export function zoneBody(migration: MigrationState, place: Place): Body {
	const {zone, record, access, failure, backup} = migration;
	const {columns, now} = place;
	const isSmall = place.rows < 12;
	const isReadOnly = access.name === 'read only';
	const isKnown = isResumed(migration) || (!isOpen(migration) && !isUnread(record.state));
	return {
		rows: spaced(
			failureRows(whyHeld(migration), place),
			failureRows(failure, place),
			isReadOnly
				? marked(
						place.marks.warning,
						'ledge is read-only: the zone can be read, reviewed and rehearsed, and nothing sent.',
						columns,
						'warning',
					)
				: [],
			[
				...fact('zone', zone.name, columns, 'here'),
				...fact('zone id', zone.id, columns),
				...fact('plan', zone.plan ?? 'not known', columns),
				...fact('account', zone.account, columns),
			],
			isResumed(migration)
				? [
						...said(
							`The journal of this zone was found: ${stateInWords(migration)}. It resumes there; the current state is read first.`,
							columns,
						),
						...(record.put ? fact('last PUT', ago(record.put.at, now), columns) : []),
						...(backup ? pathFact('backup', backup.folder, migration, columns) : []),
					]
				: isKnown
					? said(`By its journal: ${stateInWords(migration)}.`, columns)
					: said(
							'This takes the zone from the previous managed rules to the new ones. Everything up to the confirmation reads only, and can be left and resumed.',
							columns,
						),
			isSmall || isKnown || isReadOnly
				? []
				: said(
						'From the confirmation on no way back is documented: the name of the zone is asked for before anything is sent.',
						columns,
						'dim',
					),
		),
		tail: choiceRows(migrationChoices(migration), migration.cursor, place),
	};
}

/** Builds the step with the service's answers about the zone, and whether it can migrate. */
export function eligibilityBody(migration: MigrationState, place: Place): Body {
	const {failure, eligibility} = migration;
	return {
		rows: spaced(
			failureRows(whyHeld(migration), place),
			failureRows(failure, place),
			verdictRows(migration, place),
			driftRows(migration, place),
			seenRows(migration, place),
			eligibility ? countRows(migration, place) : [],
			unreadRows(migration, place),
		),
		tail: choiceRows(migrationChoices(migration), migration.cursor, place),
	};
}

/** Builds the differences of the current rules from the reviewed ones. */
export function driftRows({drift, record, zone}: MigrationState, {columns, marks}: Place): Row[] {
	if (!hasMovedOn(record.state) || !drift) return [];
	const {differences} = drift;
	if (differences === undefined)
		return said(`The current rules of ${zone.name} were not reviewed here.`, columns, 'warning');
	if (differences.length === 0) return said('The rules are as you reviewed them.', columns);
	return differenceRows('Changed by others', ['reviewed', 'current'], differences, columns, marks);
}

/** Builds the warning about a state that no PUT of ledge explains. */
export function surpriseRows({record, zone}: MigrationState, {columns, marks}: Place): Row[] {
	if (!isSurprise(record.state)) return [];
	return hasMovedOn(record.state)
		? marked(
				marks.warning,
				`${movedOnInWords(zone.name, record)}. Nothing is sent until you review the current state.`,
				columns,
				'warning',
			)
		: marked(
				marks.failed,
				'The service names a state that nobody has seen before. It is shown, and nothing is written.',
				columns,
				'danger',
			);
}

/** Builds the verdict: whether the migration can continue. */
function verdictRows(migration: MigrationState, place: Place): Row[] {
	const {record, eligibility, zone} = migration;
	const {columns, marks} = place;
	if (isSurprise(record.state)) return surpriseRows(migration, place);
	if (isComplete(record.state))
		return marked(marks.done, `${zone.name} is migrated: the new version only.`, columns, 'good');
	if (!eligibility) return [];
	if (eligibility.eligible) return marked(marks.done, `${zone.name} can migrate.`, columns, 'good');
	return marked(marks.failed, `${zone.name} is not eligible: ${whyNot(eligibility)}`, columns, 'danger');
}

/** Describes why a zone cannot migrate: the only blocker, or their number. */
function whyNot({blockers}: Eligibility): string {
	const [only, ...others] = blockers.filter(({hinders}) => hinders);
	return only && others.length === 0
		? only.sentence
		: `nothing can be sent to it before ${counted(others.length + 1, 'blocker')} are gone.`;
}

/** Builds rows with the last observation, in the service's own words, too. */
export function seenRows({record: {seen}, phase}: MigrationState, {columns, now}: Place): Row[] {
	if (!seen) return [];
	const {status, check, entryPoint} = seen;
	const state = status?.state ?? check.state;
	return [
		...fact('in force', stageWords[seen.stage], columns),
		...fact(
			'it says',
			[
				state === undefined ? 'no state' : `"${state}"`,
				check.compatible ? 'compatible' : 'not compatible',
				...(status?.newWaf === undefined ? [] : [`new version ${status.newWaf}`]),
				...(status?.oldWaf === undefined ? [] : [`previous version ${status.oldWaf}`]),
			].join(', '),
			columns,
		),
		...fact(
			'entry point',
			entryPoint ? `version ${entryPoint.version}, ${counted(entryPoint.rules, 'rule')}` : 'none yet',
			columns,
		),
		// While watching, `watched` shows the time.
		...(phase.name === 'watching' ? [] : fact('looked', ago(seen.at, now), columns, 'dim')),
	];
}

/** Builds rows with the counts of the zone and the limits of a migration. */
function countRows({eligibility}: MigrationState, {columns}: Place): Row[] {
	if (!eligibility) return [];
	const {
		counts: {overrides, firewallRules, longestExpression},
		unread,
	} = eligibility;
	// Without counts, limits do not matter.
	const nothing = overrides === undefined && firewallRules === undefined;
	if (nothing && !unread.overrides && !unread.firewallRules) return [];
	return [
		...fact(
			'overrides',
			overrides === undefined
				? (unread.overrides ?? 'none by URI on this plan')
				: `${grouped(overrides)} by URI; none may be left`,
			columns,
		),
		...fact(
			'rules',
			firewallRules === undefined
				? (unread.firewallRules ?? 'could not be read')
				: `${counted(firewallRules, 'firewall rule')} to migrate; 200 at most`,
			columns,
		),
		...(longestExpression === undefined
			? []
			: fact('longest', `expression of ${grouped(longestExpression)} bytes; 4,096 at most`, columns)),
	];
}

/** Builds warnings about parts that could not be read, which the review therefore lacks. */
export const unreadRows = ({snapshot}: MigrationState, {columns, marks}: Place): Row[] =>
	(snapshot?.unread ?? []).flatMap(({what, why}) =>
		marked(marks.warning, `Not read: ${what}. ${why}`, columns, 'warning'),
	);

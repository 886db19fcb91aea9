import {
	deploysAnything,
	fingerprint,
	shownFingerprint,
} from '../../../migration/configuration/configuration.ts';
import {furtherWords} from '../../../migration/flow/parts.ts';
import {neverValidated, otherThanSent} from '../../../migration/machine/observation.ts';
import {entryPointPath} from '../../../rulesets/paths.ts';
import {managedPhase} from '../../../rulesets/ruleset.ts';
import {counted} from '../../../text/figures.ts';
import {type Body, failureRows, type Place} from '../../rows/body.ts';
import {exactFact, fact, marked, type Row, said, spaced} from '../../rows/rows.ts';
import {isMigrationTyping, isReviewed, type MigrationState, whyHeld} from '../state.ts';
import {givenUpRows} from './deploy.ts';
import {ago, pathFact} from './rows.ts';

/** Joins parts without blank rows, for small terminals. */
const close = (...parts: readonly (readonly Row[])[]): Row[] => parts.flat();

/** Formats the request to send; its full path if there is room. */
const sent = ({zone, goal}: MigrationState, isSmall: boolean): string =>
	`PUT ${isSmall ? '…/entrypoint' : entryPointPath(zone.id, managedPhase)}?waf_migration=${goal}&phase_two=1`;

/** Builds the confirmation: what is sent, and that it cannot be undone. */
export function confirmBody(migration: MigrationState, place: Place): Body {
	const {zone, goal, configuration, findings, plan, record, backup, failure, asks, access} = migration;
	const {columns, marks, now} = place;
	const isSmall = place.rows < 12;
	const warns =
		goal === 'pending'
			? `This turns the previous managed rules off for ${zone.name}, and cannot be undone.`
			: `This puts the new managed rules before the live traffic of ${zone.name}${isSmall ? '' : '; the previous ones stay on behind them'}. No way back is documented.`;
	const reviewedAt = record.reviewed?.at;
	const facts: readonly Row[] = [
		...exactFact('will send', sent(migration, isSmall), columns),
		...(configuration
			? fact(
					'body',
					`${counted(configuration.rules.length, 'rule')}, fingerprint ${shownFingerprint(fingerprint(configuration))}${isReviewed(migration) && reviewedAt !== undefined ? `, as reviewed ${ago(reviewedAt, now)}` : ''}`,
					columns,
				)
			: []),
		...(backup
			? [
					...fact('backup', `${counted(backup.objects, 'object')}, ${ago(backup.at, now)}`, columns),
					...pathFact('', backup.folder, migration, columns),
				]
			: fact('backup', 'none yet; one is made before anything is sent', columns)),
	];
	const other = goal === 'pending' ? [otherThanSent(record), neverValidated(record)] : [];
	const against: readonly Row[] = [
		...other.flatMap(text => (text === undefined ? [] : marked(marks.warning, text, columns, 'danger'))),
		...(configuration && !deploysAnything(configuration)
			? marked(
					marks.warning,
					'It deploys no managed ruleset at all: nothing of the managed rules would be left.',
					columns,
					'danger',
				)
			: []),
		...(plan?.reductions ?? []).flatMap(text => marked(marks.warning, text, columns, 'danger')),
		...findings
			.filter(({lessens}) => lessens)
			.flatMap(({sentence}) => marked(marks.warning, sentence, columns, 'warning')),
		...(isReviewed(migration)
			? []
			: marked(
					marks.failed,
					'The current configuration was not reviewed: review it before anything is sent.',
					columns,
					'danger',
				)),
	];
	return {
		rows: (isSmall ? close : spaced)(
			failureRows(whyHeld(migration), place),
			failureRows(failure, place),
			failureRows(
				access.name === 'read only'
					? access.why.with({
							left: 'Nothing can be sent from here; all else can be looked at and rehearsed.',
						})
					: undefined,
				place,
			),
			givenUpRows(migration, place),
			marked(marks.warning, warns, columns, 'danger'),
			against,
			facts,
		),
		tail: isMigrationTyping(migration) ? said(asked(asks), columns, 'here') : [],
	};
}

/** Returns what to type now. */
function asked(asks: MigrationState['asks']): string {
	switch (asks) {
		case 'name of the zone':
			return "Type the zone's name to continue:";
		case 'further word':
			return `Nothing of the managed rules will be left. Type "${furtherWords[asks]}" to continue:`;
		case 'word about the backup':
			return `The backup lacks what could not be read. Type "${furtherWords[asks]}" to continue:`;
		default:
			return asks satisfies never;
	}
}

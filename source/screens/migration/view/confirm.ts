import {
	computeFingerprint,
	formatFingerprint,
	hasActiveRuleset,
} from '../../../migration/configuration/configuration.ts';
import {findExecutedRulesetId} from '../../../migration/configuration/override-edits.ts';
import {activatesRuleset} from '../../../migration/configuration/rule-overrides.ts';
import {confirmationWords} from '../../../migration/flow/context.ts';
import {describeStoredDifference, describeUnvalidatedReview} from '../../../migration/machine/observation.ts';
import {getEntryPointPath} from '../../../rulesets/paths.ts';
import {managedPhase} from '../../../rulesets/ruleset.ts';
import {toDrawable} from '../../../text/columns.ts';
import {formatQuantity} from '../../../text/figures.ts';
import {getRulesetName} from '../../managed-edit/editor.ts';
import {type Body, buildFailureRows, type LayoutArea} from '../../rows/body.ts';
import {
	buildMarkedRows,
	buildNamedRows,
	buildTextRows,
	buildVerbatimNamedRows,
	joinWithBlankRows,
	type Row,
} from '../../rows/rows.ts';
import {describeOwnChanges} from '../messages.ts';
import {findLockFailure, isMigrationReviewed, isMigrationTyping, type MigrationState} from '../state.ts';
import {buildLostPutRows} from './deploy.ts';
import {buildPathRows, formatAgo} from './rows.ts';

/** Joins parts without blank rows, for small terminals. */
const joinRows = (...parts: readonly (readonly Row[])[]): Row[] => parts.flat();

/** Formats the request to send, with its full path unless the terminal is small. */
const formatRequest = ({zone, goal}: MigrationState, isSmall: boolean): string =>
	`PUT ${isSmall ? '…/entrypoint' : getEntryPointPath(zone.id, managedPhase)}?waf_migration=${goal}&phase_two=1`;

/** Builds the confirmation: what is sent, and that it cannot be undone. */
export function buildConfirmBody(migration: MigrationState, area: LayoutArea): Body {
	const {zone, goal, configuration, findings, plan, record, backup, failure, expectedInput, access} =
		migration;
	const {columns, marks, now} = area;
	const isSmall = area.rows < 12;
	const warning =
		goal === 'pending'
			? `This turns off the previous managed rules for ${zone.name} and cannot be undone.`
			: `This puts the new managed rules in front of the live traffic of ${zone.name}${isSmall ? '' : '; the previous ones stay active behind them'}. No rollback is documented.`;
	const reviewedAt = record.reviewed?.at;
	const changeRows = buildChangeRows(migration, area);
	// On small terminals the request comes first, and the changes are scrolled to.
	const factRows: readonly Row[] = [
		...(isSmall ? [] : changeRows),
		...buildVerbatimNamedRows('will send', formatRequest(migration, isSmall), columns),
		...(configuration
			? buildNamedRows(
					'body',
					`${formatQuantity(configuration.rules.length, 'rule')}, fingerprint ${formatFingerprint(computeFingerprint(configuration))}${isMigrationReviewed(migration) && reviewedAt !== undefined ? `, reviewed ${formatAgo(reviewedAt, now)}` : ''}`,
					columns,
				)
			: []),
		...(backup
			? [
					...buildNamedRows(
						'backup',
						`${formatQuantity(backup.objects, 'object')}, ${formatAgo(backup.at, now)}`,
						columns,
					),
					...buildPathRows('', backup.folder, migration, columns),
				]
			: buildNamedRows('backup', 'none yet; one is made before anything is sent', columns)),
		...(isSmall ? changeRows : []),
	];
	const extraWarnings =
		goal === 'pending' ? [describeStoredDifference(record), describeUnvalidatedReview(record)] : [];
	const warningRows: readonly Row[] = [
		...extraWarnings.flatMap(text =>
			text === undefined ? [] : buildMarkedRows(marks.warning, text, columns, 'danger'),
		),
		...(configuration && !hasActiveRuleset(configuration)
			? buildMarkedRows(
					marks.warning,
					'This deploys no managed ruleset: no managed rules would remain.',
					columns,
					'danger',
				)
			: []),
		...(plan ? [...plan.reductions, ...plan.weakenedRules] : []).flatMap(text =>
			buildMarkedRows(marks.warning, text, columns, 'danger'),
		),
		...findings
			.filter(({lessens}) => lessens)
			.flatMap(({sentence}) => buildMarkedRows(marks.warning, sentence, columns, 'warning')),
		...(isMigrationReviewed(migration)
			? []
			: buildMarkedRows(
					marks.failed,
					'The current configuration was not reviewed: review it before anything is sent.',
					columns,
					'danger',
				)),
	];
	return {
		rows: (isSmall ? joinRows : joinWithBlankRows)(
			buildFailureRows(findLockFailure(migration), area),
			buildFailureRows(failure, area),
			buildFailureRows(
				access.name === 'read only'
					? access.failure.withDetails({
							left: 'Nothing can be sent from here; you can still view and rehearse everything.',
						})
					: undefined,
				area,
			),
			buildLostPutRows(migration, area),
			buildMarkedRows(marks.warning, warning, columns, 'danger'),
			warningRows,
			factRows,
		),
		tail: isMigrationTyping(migration) ? buildTextRows(getPrompt(expectedInput), columns, 'here') : [],
	};
}

/** Maximum edits that the confirmation lists; the others are counted. */
const maxListedEdits = 3;

/** Builds rows with what will run afterwards, what was changed by hand, and how much is lost. */
function buildChangeRows(migration: MigrationState, {columns}: LayoutArea): readonly Row[] {
	const {configuration, plan, snapshot} = migration;
	if (!configuration || !plan) return [];
	const deployedNames = configuration.rules.filter(activatesRuleset).map(rule => {
		const id = findExecutedRulesetId(rule) ?? '';
		return toDrawable(getRulesetName({catalogue: snapshot?.catalogue}, id));
	});
	const otherCount = configuration.rules.length - deployedNames.length;
	const hiddenCount = plan.edits.length - maxListedEdits;
	return [
		...buildNamedRows(
			'runs',
			[
				...(deployedNames.length === 0 ? ['no managed ruleset'] : deployedNames),
				...(otherCount > 0 ? [formatQuantity(otherCount, 'other rule')] : []),
			].join(', '),
			columns,
		),
		...buildNamedRows('changes', describeOwnChanges(migration)[0], columns),
		...plan.edits
			.slice(0, maxListedEdits)
			.flatMap(({about, before, after}) =>
				buildNamedRows('', toDrawable(`${about}: ${before} → ${after}`), columns),
			),
		...(hiddenCount > 0 ? buildNamedRows('', `… ${hiddenCount} more in the review`, columns) : []),
		...(plan.notMigrated.length > 0
			? buildNamedRows(
					'lost',
					`${formatQuantity(plan.notMigrated.length, 'setting')} not migrated, to recreate manually`,
					columns,
				)
			: []),
	];
}

/** Returns the prompt for the text that the user must type now. */
function getPrompt(asks: MigrationState['expectedInput']): string {
	switch (asks) {
		case 'name of the zone':
			return "Type the zone's name to continue:";
		case 'word about protection':
			return `No managed rules will remain. Type "${confirmationWords[asks]}" to continue:`;
		case 'word about the backup':
			return `The backup lacks what could not be read. Type "${confirmationWords[asks]}" to continue:`;
		default:
			return asks satisfies never;
	}
}

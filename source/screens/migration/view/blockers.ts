import {formatAdvice} from '../../../failure.ts';
import {nameKey} from '../../../keyboard/named-keys.ts';
import type {Blocker} from '../../../migration/zone/eligibility.ts';
import {parseWafOverride} from '../../../migration/zone/override.ts';
import {formatWafOverrideSettings} from '../../../migration/zone/override-protection.ts';
import type {JsonObject} from '../../../text/json.ts';
import {type Body, buildFailureRows, type LayoutArea} from '../../rows/body.ts';
import {
	blankRow,
	buildMarkedRows,
	buildTextRows,
	buildVerbatimNamedRows,
	indentRow,
	joinWithBlankRows,
	type Row,
} from '../../rows/rows.ts';
import {formatRestoreCommand} from '../messages.ts';
import {type BlockerRow, findLockFailure, listBlockerRows, type MigrationState} from '../state.ts';
import {buildPathRows} from './rows.ts';

/** Builds the blockers with their objects and advice. */
export function buildBlockersBody(migration: MigrationState, area: LayoutArea): Body {
	const {failure, eligibility, zone} = migration;
	const {columns, marks} = area;
	const head = joinWithBlankRows(
		buildFailureRows(findLockFailure(migration), area),
		buildFailureRows(failure, area),
	);
	const blockerRows = listBlockerRows(migration);
	if (blockerRows.length === 0)
		return {
			rows: joinWithBlankRows(
				head,
				eligibility
					? buildMarkedRows(marks.done, `Nothing blocks the migration of ${zone.name}.`, columns, 'good')
					: buildTextRows('Not loaded yet.', columns, 'dim'),
				buildRestoreRows(migration, columns),
			),
			tail: [],
		};
	const rows: Row[] = head.length === 0 ? [] : [...head, blankRow];
	let cursorRows: Body['cursorRows'];
	for (const [index, row] of blockerRows.entries()) {
		const firstRow = rows.length;
		const isSelected = index === migration.cursor;
		rows.push(
			...(row.kind === 'blocker'
				? buildBlockerRows(row, isSelected, area)
				: buildObjectRows(migration, row.id, isSelected, area)),
		);
		if (isSelected) cursorRows = {from: firstRow, to: rows.length};
	}
	return {
		rows,
		tail: eligibility && head.length === 0 ? buildNoteRows(migration, area) : [],
		...(cursorRows && {cursorRows}),
	};
}

function buildBlockerRows(
	{blocker: {hinders, sentence, next}}: BlockerRow,
	isSelected: boolean,
	{columns, marks}: LayoutArea,
): Row[] {
	const look = hinders ? 'danger' : 'warning';
	const text = `${hinders ? marks.failed : marks.warning} ${sentence}`;
	return [
		...buildTextRows(text, columns - 2, look, 2).map(
			(row, index): Row => [{text: `${isSelected && index === 0 ? marks.current : ' '} `, look}, ...row],
		),
		...buildTextRows(formatAdvice(next), columns - 4).map(row => indentRow(indentRow(row))),
	];
}

/** Builds the rows of an object that a blocker is about: its id, its description, and what an override sets. */
function buildObjectRows(
	{snapshot}: MigrationState,
	id: string,
	isSelected: boolean,
	{columns, marks}: LayoutArea,
): Row[] {
	const override = snapshot?.overrides.find(one => one.id === id);
	const rawObject = override ?? snapshot?.firewallRules?.find(one => one.id === id);
	const texts = [
		rawObject && describeObject(rawObject),
		override && `sets ${formatWafOverrideSettings(parseWafOverride(override)) || 'nothing'}`,
	];
	return [
		...buildMarkedRows(
			isSelected ? marks.current : ' ',
			`  ${marks.selected} ${id}`,
			columns,
			isSelected ? 'here' : 'plain',
		),
		...texts
			.flatMap(text => buildTextRows(text, columns - 6, 'dim'))
			.map(row => indentRow(indentRow(indentRow(row)))),
	];
}

/** Describes an object by the URLs of an override, its description, and whether it is paused. */
function describeObject({urls, description, paused}: JsonObject): string {
	const addresses = Array.isArray(urls) ? urls.filter(url => typeof url === 'string') : [];
	return [
		...(addresses.length === 0 ? [] : [addresses.join(', ')]),
		...(typeof description === 'string' && description !== '' ? [`"${description}"`] : []),
		...(paused === true ? ['paused'] : []),
	].join('   ');
}

/** Builds the notes below the blockers: what is possible, and where overrides are backed up. */
function buildNoteRows(migration: MigrationState, {columns, marks, rows}: LayoutArea): Row[] {
	const {eligibility, backup} = migration;
	const isEligible = eligibility?.eligible === true;
	const hasBlocker = (...kinds: readonly Blocker['kind'][]): boolean =>
		eligibility?.blockers.some(({kind, ids}) => kinds.includes(kind) && ids.length > 0) === true;
	const hasOverrides = hasBlocker('URI overrides');
	const hasRules = hasBlocker('firewall rules', 'expression length');
	return [
		blankRow,
		...(isEligible
			? buildMarkedRows(marks.done, 'None of this blocks the migration.', columns, 'good')
			: buildMarkedRows(marks.failed, 'Nothing is sent to a zone that is not eligible.', columns, 'danger')),
		...(hasOverrides
			? buildTextRows(
					rows < 12
						? 'A backup is made before overrides are deleted.'
						: 'A backup is made before overrides are deleted. Until the migration is complete, it can restore them.',
					columns,
					'dim',
				)
			: []),
		...(hasRules
			? buildTextRows(
					`${nameKey('go.firewall', '2')} goes to the firewall rules. After editing one, ${nameKey('go.migration', '5')} leads back here and ${nameKey('migration.reload', 'ctrl-r')} checks again.`,
					columns,
					'dim',
				)
			: []),
		...(hasOverrides && backup && rows >= 12
			? buildPathRows('backup', backup.folder, migration, columns)
			: []),
		...(rows >= 12 ? buildRestoreRows(migration, columns) : []),
	];
}

/** Builds the command that restores the overrides deleted here, or those that are backed up and remain. */
function buildRestoreRows(migration: MigrationState, columns: number): Row[] {
	const {backup, restoreCommand, snapshot} = migration;
	const backupFolder = snapshot?.overrides.length ? backup?.folder : undefined;
	const command = restoreCommand ?? (backupFolder && formatRestoreCommand(migration, backupFolder));
	return command === undefined ? [] : buildVerbatimNamedRows('restore', command, columns);
}

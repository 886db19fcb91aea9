import {basename} from 'node:path';
import {adviceText} from '../../../failure.ts';
import type {Blocker} from '../../../migration/zone/eligibility.ts';
import type {JsonObject} from '../../../text/json.ts';
import {type Body, failureRows, type Place} from '../../rows/body.ts';
import {blank, exactFact, indented, marked, type Row, said, spaced} from '../../rows/rows.ts';
import {commandThere} from '../leaving.ts';
import {type BlockerRow, blockerRows, type MigrationState, whyHeld} from '../state.ts';
import {pathFact} from './rows.ts';

/** Builds the blockers with their objects and advice. */
export function blockersBody(migration: MigrationState, place: Place): Body {
	const {failure, eligibility, zone} = migration;
	const {columns, marks} = place;
	const head = spaced(failureRows(whyHeld(migration), place), failureRows(failure, place));
	const all = blockerRows(migration);
	if (all.length === 0)
		return {
			rows: spaced(
				head,
				eligibility
					? marked(marks.done, `Nothing blocks the migration of ${zone.name}.`, columns, 'good')
					: said('Nothing was read yet.', columns, 'dim'),
			),
			tail: [],
		};
	const rows: Row[] = head.length === 0 ? [] : [...head, blank];
	let at: Body['at'];
	for (const [index, row] of all.entries()) {
		const from = rows.length;
		const isHere = index === migration.cursor;
		rows.push(
			...(row.kind === 'blocker'
				? ofBlocker(row, isHere, place)
				: ofObject(migration, row.id, isHere, place)),
		);
		if (isHere) at = {from, to: rows.length};
	}
	return {rows, tail: eligibility && head.length === 0 ? promise(migration, place) : [], ...(at && {at})};
}

function ofBlocker(
	{blocker: {hinders, sentence, next}}: BlockerRow,
	isHere: boolean,
	{columns, marks}: Place,
): Row[] {
	const look = hinders ? 'danger' : 'warning';
	const text = `${hinders ? marks.failed : marks.warning} ${sentence}`;
	return [
		...said(text, columns - 2, look, 2).map(
			(row, index): Row => [{text: `${isHere && index === 0 ? marks.here : ' '} `, look}, ...row],
		),
		...said(adviceText(next), columns - 4).map(row => indented(indented(row))),
	];
}

/** Builds the rows of a blocker's object: its id and description. */
function ofObject({snapshot}: MigrationState, id: string, isHere: boolean, {columns, marks}: Place): Row[] {
	const raw = [...(snapshot?.overrides ?? []), ...(snapshot?.firewallRules ?? [])].find(one => one.id === id);
	const about = raw ? aboutObject(raw) : undefined;
	return [
		...marked(isHere ? marks.here : ' ', `  ${marks.selected} ${id}`, columns, isHere ? 'here' : 'plain'),
		...said(about, columns - 6, 'dim').map(row => indented(indented(indented(row)))),
	];
}

/** Describes an object: the URLs of an override, its description, and whether it is paused. */
function aboutObject({urls, description, paused}: JsonObject): string {
	const addresses = Array.isArray(urls) ? urls.filter(url => typeof url === 'string') : [];
	return [
		...(addresses.length === 0 ? [] : [addresses.join(', ')]),
		...(typeof description === 'string' && description !== '' ? [`"${description}"`] : []),
		...(paused === true ? ['paused'] : []),
	].join('   ');
}

/** Builds the notes below the blockers: what is possible, and where overrides are backed up. */
function promise(migration: MigrationState, {columns, marks, rows}: Place): Row[] {
	const {eligibility, backup} = migration;
	const isEligible = eligibility?.eligible === true;
	const has = (...kinds: readonly Blocker['kind'][]): boolean =>
		eligibility?.blockers.some(({kind, ids}) => kinds.includes(kind) && ids.length > 0) === true;
	const hasOverrides = has('URI overrides');
	const hasRules = has('firewall rules', 'expression length');
	return [
		blank,
		...(isEligible
			? marked(marks.done, 'None of this keeps the zone from migrating.', columns, 'good')
			: marked(marks.failed, 'Nothing is sent to a zone that is not eligible.', columns, 'danger')),
		...(hasOverrides
			? said(
					rows < 12
						? 'A backup is made before overrides are deleted.'
						: 'A backup is made before overrides are deleted. Until the migration is complete, it can restore them.',
					columns,
					'dim',
				)
			: []),
		...(hasRules ? said('After editing a firewall rule, ctrl-r checks again.', columns, 'dim') : []),
		...(hasOverrides && backup && rows >= 12
			? [
					...pathFact('backup', backup.folder, migration, columns),
					...exactFact(
						'bring back',
						commandThere(migration, 'overrides', 'restore', basename(backup.folder)),
						columns,
					),
				]
			: []),
	];
}

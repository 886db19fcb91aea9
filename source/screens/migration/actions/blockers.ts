import {bodyRows} from '../../../components/layout.ts';
import {linesOf} from '../../../components/paragraphs.ts';
import {overrideLabel} from '../../../migration/zone/delete-override.ts';
import {readOverride} from '../../../migration/zone/override.ts';
import {findOverrideReductions} from '../../../migration/zone/override-protection.ts';
import type {Has} from '../../../store/ledge-store.ts';
import {counted} from '../../../text/figures.ts';
import {readOnly} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import type {Viewport} from '../../shell/navigation-slice.ts';
import {askBeforeWrite} from '../../shell/zone-name.ts';
import {type BlockerRow, blockerRows} from '../state.ts';
import {isAt} from './part.ts';

export const selectedBlocker = ({migration: {data: migration}}: Has<'migration'>): BlockerRow | undefined =>
	migration?.step === 'blockers' ? blockerRows(migration)[migration.cursor] : undefined;

const selectedOverride = (state: Has<'migration'>): string | undefined => {
	const row = selectedBlocker(state);
	return row?.kind === 'override' ? row.id : undefined;
};

const listedOverrides = ({migration: {data: migration}}: Has<'migration'>): readonly string[] =>
	migration ? blockerRows(migration).flatMap(row => (row.kind === 'override' ? [row.id] : [])) : [];

/** Asks before deleting overrides and names each; shows them on several pages first if they do not fit. */
function askDeletion(app: App, ids: readonly string[]): void {
	const migration = app.state().migration.data;
	const {viewport} = app.state().navigation;
	const {open} = app.state().dialog;
	const {snapshot, zone} = migration ?? {};
	if (!snapshot || !zone) return;
	const all = snapshot.overrides.map(readOverride);
	const going = all.filter(({id}) => ids.includes(id));
	const staying = all.filter(({id}) => !ids.includes(id));
	const reductions = new Map(
		findOverrideReductions('deleting', going, snapshot, staying).map(({override, settings}) => [
			override,
			settings,
		]),
	);
	const entries = going.map(one => {
		const stricter = reductions.get(one);
		return stricter === undefined
			? [overrideLabel(one)]
			: [overrideLabel(one), `  stricter with it: ${stricter}`];
	});
	const what = going.length === 1 ? 'this override' : counted(going.length, 'override');
	const reasons =
		reductions.size === 0 ? [] : [lowersProtection(what, reductions.size, going.length, zone.name)];
	const fits =
		countLines([...reasons, ...entries.flat(), ...consequences], viewport) <= roomIn(viewport) + placeRows;
	const pages = fits ? [] : paginate(entries, viewport);
	const ask = () =>
		askBeforeWrite(
			app.state(),
			zone,
			{
				title: `Delete ${what}?`,
				reasons,
				lines: [...(fits ? entries.flat() : []), ...consequences],
				does: going.length === 1 ? 'delete it' : `delete ${what}`,
			},
			() => void app.state().migration.deleteOverrides(going.map(({id}) => id)),
		);
	const show = (at: number): void => {
		const lines = pages[at];
		if (!lines) {
			ask();
			return;
		}
		open({
			kind: 'confirm',
			title: `Delete ${what}? (list ${at + 1} of ${pages.length})`,
			lines,
			does: 'continue',
			confirm: () => show(at + 1),
		});
	};
	show(0);
}

function lowersProtection(what: string, reducing: number, all: number, zone: string): string {
	const which = all === 1 ? 'This lowers' : `${reducing} of ${all} ${reducing === 1 ? 'lowers' : 'lower'}`;
	return `Delete ${what}? ${which} the protection of ${zone}.`;
}

const consequences: readonly string[] = [
	'This takes effect immediately. A backup is made first; it can restore them until the migration is complete.',
];

/** Rows of a dialog for the place, if the header cuts it off. */
const placeRows = 2;

/** Returns the rows of a dialog for its text: without heading, place and question. */
const roomIn = ({rows}: Viewport): number => Math.max(1, bodyRows(rows) - 8);

const countLines = (texts: readonly string[], {columns}: Viewport): number =>
	linesOf(texts, columns - 6).length;

/** Splits entries into pages that fit a dialog. */
function paginate(
	entries: readonly (readonly string[])[],
	viewport: Viewport,
): readonly (readonly string[])[] {
	const pages: string[][] = [];
	let used = Infinity;
	for (const entry of entries) {
		const lines = countLines(entry, viewport);
		if (used + lines > roomIn(viewport)) {
			pages.push([]);
			used = 0;
		}
		pages.at(-1)?.push(...entry);
		used += lines;
	}
	return pages;
}

const common = {group: 'Migration', where: ['migration menu'], isHere: isAt('blockers')} as const;

/** Keys that delete blocking overrides. */
export const migrationBlockers: readonly Action[] = [
	{
		...common,
		id: 'migration.delete-override',
		keys: ['d'],
		title: 'delete the override; a backup is made first',
		hint: 'delete',
		words: ['remove'],
		destroys: true,
		unavailable: state => (selectedOverride(state) === undefined ? 'no override selected' : readOnly(state)),
		run(app) {
			const id = selectedOverride(app.state());
			if (id !== undefined) askDeletion(app, [id]);
		},
	},
	{
		...common,
		id: 'migration.delete-overrides',
		keys: ['D'],
		title: 'delete all overrides; a backup is made first',
		hint: 'delete all',
		words: ['remove all', 'delete overrides'],
		destroys: true,
		unavailable: state => (listedOverrides(state).length === 0 ? 'no overrides' : readOnly(state)),
		run: app => askDeletion(app, listedOverrides(app.state())),
	},
];

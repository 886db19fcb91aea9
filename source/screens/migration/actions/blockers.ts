import {getBodyRows} from '../../../components/layout.ts';
import {wrapParagraphs} from '../../../components/paragraphs.ts';
import {formatOverrideLabel} from '../../../migration/zone/delete-override.ts';
import {parseWafOverride} from '../../../migration/zone/override.ts';
import {findOverrideReductions} from '../../../migration/zone/override-protection.ts';
import type {Has} from '../../../store/ledge-store.ts';
import {formatQuantity} from '../../../text/figures.ts';
import {getReadOnlyReason} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import type {Viewport} from '../../shell/navigation-slice.ts';
import {askBeforeWrite} from '../../shell/zone-name.ts';
import {type BlockerRow, listBlockerRows} from '../state.ts';
import {isAtMigrationStep} from './part.ts';

export const getSelectedBlocker = ({
	migration: {data: migration},
}: Has<'migration'>): BlockerRow | undefined =>
	migration?.step === 'blockers' ? listBlockerRows(migration)[migration.cursor] : undefined;

const getSelectedOverride = (state: Has<'migration'>): string | undefined => {
	const row = getSelectedBlocker(state);
	return row?.kind === 'override' ? row.id : undefined;
};

const listOverrideIds = ({migration: {data: migration}}: Has<'migration'>): readonly string[] =>
	migration ? listBlockerRows(migration).flatMap(row => (row.kind === 'override' ? [row.id] : [])) : [];

/** Asks before deleting overrides and names each; shows them on several pages first if they do not fit. */
function askDeletion(app: App, ids: readonly string[]): void {
	const migration = app.state().migration.data;
	const {viewport} = app.state().navigation;
	const {open} = app.state().dialog;
	const {snapshot, zone} = migration ?? {};
	if (!snapshot || !zone) return;
	const all = snapshot.overrides.map(parseWafOverride);
	const targets = all.filter(({id}) => ids.includes(id));
	const remaining = all.filter(({id}) => !ids.includes(id));
	const reductions = new Map(
		findOverrideReductions('deleting', targets, snapshot, remaining).map(({override, settings}) => [
			override,
			settings,
		]),
	);
	const entries = targets.map(one => {
		const stricter = reductions.get(one);
		return stricter === undefined
			? [formatOverrideLabel(one)]
			: [formatOverrideLabel(one), `  stricter with it: ${stricter}`];
	});
	const what = targets.length === 1 ? 'this override' : formatQuantity(targets.length, 'override');
	const reasons =
		reductions.size === 0
			? []
			: [describeReducedProtection(what, reductions.size, targets.length, zone.name)];
	const fits =
		countLines([...reasons, ...entries.flat(), ...consequences], viewport) <=
		countTextRows(viewport) + placeRows;
	const pages = fits ? [] : paginate(entries, viewport);
	const ask = () =>
		askBeforeWrite(
			app.state(),
			zone,
			{
				title: `Delete ${what}?`,
				reasons,
				lines: [...(fits ? entries.flat() : []), ...consequences],
				does: targets.length === 1 ? 'delete it' : `delete ${what}`,
			},
			() => void app.state().migration.deleteOverrides(targets.map(({id}) => id)),
		);
	const showPage = (at: number): void => {
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
			confirm: () => showPage(at + 1),
		});
	};
	showPage(0);
}

function describeReducedProtection(what: string, reducing: number, all: number, zone: string): string {
	const subject = all === 1 ? 'This lowers' : `${reducing} of ${all} ${reducing === 1 ? 'lowers' : 'lower'}`;
	return `Delete ${what}? ${subject} the protection of ${zone}.`;
}

const consequences: readonly string[] = [
	'This takes effect immediately. A backup is made first; it can restore them until the migration is complete.',
];

/** Rows of a dialog for the place, if the header cuts it off. */
const placeRows = 2;

/** Returns the rows of a dialog for its text: without heading, place and question. */
const countTextRows = ({rows}: Viewport): number => Math.max(1, getBodyRows(rows) - 8);

const countLines = (texts: readonly string[], {columns}: Viewport): number =>
	wrapParagraphs(texts, columns - 6).length;

/** Splits entries into pages that fit a dialog. */
function paginate(
	entries: readonly (readonly string[])[],
	viewport: Viewport,
): readonly (readonly string[])[] {
	const pages: string[][] = [];
	let used = Infinity;
	for (const entry of entries) {
		const lines = countLines(entry, viewport);
		if (used + lines > countTextRows(viewport)) {
			pages.push([]);
			used = 0;
		}
		pages.at(-1)?.push(...entry);
		used += lines;
	}
	return pages;
}

const common = {
	group: 'Migration',
	where: ['migration menu'],
	isActive: isAtMigrationStep('blockers'),
} as const;

/** Keys that delete blocking overrides. */
export const blockerActions: readonly Action[] = [
	{
		...common,
		id: 'migration.delete-override',
		keys: ['d'],
		title: 'delete the override; a backup is made first',
		hint: 'delete',
		searchTerms: ['remove'],
		destroys: true,
		unavailable: state =>
			getSelectedOverride(state) === undefined ? 'no override selected' : getReadOnlyReason(state),
		run(app) {
			const id = getSelectedOverride(app.state());
			if (id !== undefined) askDeletion(app, [id]);
		},
	},
	{
		...common,
		id: 'migration.delete-overrides',
		keys: ['D'],
		title: 'delete all overrides; a backup is made first',
		hint: 'delete all',
		searchTerms: ['remove all', 'delete overrides'],
		destroys: true,
		unavailable: state => (listOverrideIds(state).length === 0 ? 'no overrides' : getReadOnlyReason(state)),
		run: app => askDeletion(app, listOverrideIds(app.state())),
	},
];

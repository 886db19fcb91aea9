import {getBodyRows} from '../../../components/layout.ts';
import {wrapParagraphs} from '../../../components/paragraphs.ts';
import {formatOverrideLabel} from '../../../migration/zone/delete-override.ts';
import {parseWafOverride} from '../../../migration/zone/override.ts';
import {
	findOverrideReductions,
	formatWafOverrideSettings,
} from '../../../migration/zone/override-protection.ts';
import type {StateWith} from '../../../store/ledge-store.ts';
import {formatQuantity} from '../../../text/figures.ts';
import {createActionFactory, getReadOnlyReason} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import {askBeforeWrite} from '../../shell/confirmation.ts';
import type {Viewport} from '../../shell/navigation-slice.ts';
import {type BlockerRow, listBlockerRows} from '../state.ts';
import {isAtMigrationStep} from './part.ts';

export const getSelectedBlocker = ({
	migration: {data: migration},
}: StateWith<'migration'>): BlockerRow | undefined =>
	migration?.step === 'blockers' ? listBlockerRows(migration)[migration.cursor] : undefined;

const getSelectedOverride = (state: StateWith<'migration'>): string | undefined => {
	const row = getSelectedBlocker(state);
	return row?.kind === 'override' ? row.id : undefined;
};

const listOverrideIds = ({migration: {data: migration}}: StateWith<'migration'>): readonly string[] =>
	migration ? listBlockerRows(migration).flatMap(row => (row.kind === 'override' ? [row.id] : [])) : [];

/**
 * Lists overrides and asks before deleting them. If the list does not fit the dialog, shows it on several
 * pages first.
 */
function askBeforeDeletion(app: App, ids: readonly string[]): void {
	const migration = app.state().migration.data;
	const {viewport} = app.state().navigation;
	const {open} = app.state().dialog;
	const {snapshot, zone} = migration ?? {};
	if (!snapshot || !zone) return;
	const overrides = snapshot.overrides.map(parseWafOverride);
	const targets = overrides.filter(({id}) => ids.includes(id));
	const remaining = overrides.filter(({id}) => !ids.includes(id));
	const reductions = new Map(
		findOverrideReductions('deleting', targets, snapshot, remaining).map(({override, changes}) => [
			override,
			changes,
		]),
	);
	const entries = targets.map(one => {
		const changes = reductions.get(one);
		return [
			formatOverrideLabel(one),
			`  sets ${formatWafOverrideSettings(one) || 'nothing'}${one.paused ? ' (paused: no effect)' : ''}`,
			...(changes === undefined ? [] : [`  Deleting it lowers protection: ${changes}`]),
		];
	});
	const targetLabel = targets.length === 1 ? 'this override' : formatQuantity(targets.length, 'override');
	const zoneNameReasons =
		reductions.size === 0
			? []
			: [describeReducedProtection(targetLabel, reductions.size, targets.length, zone.name)];
	const fitsOneDialog =
		countLines([...zoneNameReasons, ...entries.flat(), ...consequences], viewport) <=
		countTextRows(viewport) + targetRows;
	const pages = fitsOneDialog ? [] : paginate(entries, viewport);
	const askConfirmation = () =>
		askBeforeWrite(
			app.state(),
			zone,
			{
				title: `Delete ${targetLabel}?`,
				reasons: zoneNameReasons,
				lines: [...(fitsOneDialog ? entries.flat() : []), ...consequences],
				actionLabel: targets.length === 1 ? 'delete override' : `delete ${targetLabel}`,
			},
			() => void app.state().migration.deleteOverrides(targets.map(({id}) => id)),
		);
	const showPage = (pageIndex: number): void => {
		const lines = pages[pageIndex];
		if (!lines) {
			askConfirmation();
			return;
		}
		open({
			kind: 'confirm',
			title: `Delete ${targetLabel}? (list ${pageIndex + 1} of ${pages.length})`,
			lines,
			actionLabel: 'continue',
			confirm: () => showPage(pageIndex + 1),
		});
	};
	showPage(0);
}

function describeReducedProtection(
	targetLabel: string,
	reducingCount: number,
	totalCount: number,
	zoneName: string,
): string {
	const subject = totalCount === 1 ? targetLabel : `${reducingCount} of these ${targetLabel}`;
	return `Deleting ${subject} lowers the protection of ${zoneName}.`;
}

const consequences: readonly string[] = [
	'This takes effect immediately. A backup is made first: until the migration is complete, `ledge migration overrides restore` restores from it.',
];

/** Rows of a dialog for its target, shown if the header cuts it. Only pages keep them free. */
const targetRows = 2;

/** Returns how many rows of a dialog are left for its text, besides heading, target and question. */
const countTextRows = ({rows}: Viewport): number => Math.max(1, getBodyRows(rows) - 8);

const countLines = (texts: readonly string[], {columns}: Viewport): number =>
	wrapParagraphs(texts, columns - 6).length;

/** Splits entries into pages that fit a dialog. */
function paginate(
	entries: readonly (readonly string[])[],
	viewport: Viewport,
): readonly (readonly string[])[] {
	const pages: string[][] = [];
	let usedRows = Infinity;
	for (const entry of entries) {
		const lineCount = countLines(entry, viewport);
		if (usedRows + lineCount > countTextRows(viewport)) {
			pages.push([]);
			usedRows = 0;
		}
		pages.at(-1)?.push(...entry);
		usedRows += lineCount;
	}
	return pages;
}

const defineDeletion = (
	id: string,
	key: string,
	title: string,
	options: Pick<Action, 'hint' | 'searchTerms' | 'getUnavailableReason' | 'run'>,
): Action =>
	createActionFactory('Migration', ['migration menu'])(`migration.${id}`, [key], title, {
		effect: 'writes',
		isDestructive: true,
		isActive: isAtMigrationStep('blockers'),
		...options,
	});

/** Keys that delete blocking overrides. */
export const blockerActions: readonly Action[] = [
	defineDeletion('delete-override', 'd', 'delete the override; a backup is made first', {
		hint: 'delete',
		searchTerms: ['remove'],
		getUnavailableReason: state =>
			getSelectedOverride(state) === undefined ? 'no override selected' : getReadOnlyReason(state),
		run(app) {
			const id = getSelectedOverride(app.state());
			if (id !== undefined) askBeforeDeletion(app, [id]);
		},
	}),
	defineDeletion('delete-overrides', 'D', 'delete all overrides; a backup is made first', {
		hint: 'delete all',
		searchTerms: ['remove all', 'delete overrides'],
		getUnavailableReason: state =>
			listOverrideIds(state).length === 0 ? 'no overrides' : getReadOnlyReason(state),
		run: app => askBeforeDeletion(app, listOverrideIds(app.state())),
	}),
];

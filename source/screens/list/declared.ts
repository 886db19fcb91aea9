import type {LedgeState} from '../../store/ledge-store.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {Screen} from '../shell/screen-name.ts';
import {createListOperations, hiddenMarksReason, type ListRows} from './list.ts';

/** Members that every list slice has; `data` is undefined while nothing is open. */
export type ListMembers<State> = {
	readonly data: State | undefined;
	move(distance: number): void;
	filter(text: string): void;
};

type ListDeclaration<Row, Slice extends ListMembers<ListRows<Row>>> = {
	getSlice(state: LedgeState): Slice;
	readonly screen: Screen;
	/** Heading of the list's actions in the help. */
	readonly group: string;
	/** Prefix of the ids of its actions. */
	readonly id: string;
	/** Noun for one row, such as "rate limit". */
	readonly rowLabel: string;
	getKey(row: Row): unknown;
	/** Texts that the filter searches: what the list or the detail of a row shows, except ids. */
	getTexts(row: Row): readonly (string | undefined)[];
	/** Ids that the filter finds by their start. */
	getIds?(row: Row): readonly (string | undefined)[];
	/** The name of a stored key, if rows are about one: a filter such as `^user:` matches its start. */
	getName?(row: Row): string;
	/** The name of a row that the cursor goes to while it is typed as filter; omitted where the order matters. */
	getTitle?(row: Row): string;
	/** True while the list's actions apply; they always do if this is omitted. */
	isActive?(state: LedgeState): boolean;
};

export type DeclaredList<Row, Slice extends ListMembers<ListRows<Row>>> = ReturnType<
	typeof declareList<Row, Slice>
>;

/** Creates what the slice, screen, actions and view of a list share. */
export function declareList<Row, Slice extends ListMembers<ListRows<Row>>>({
	getKey,
	getTexts,
	getIds,
	getName,
	getTitle,
	isActive = () => true,
	...declaration
}: ListDeclaration<Row, Slice>) {
	const operations = createListOperations(getKey, getTexts, getName, getTitle, getIds);
	const defineListAction = createActionFactory(declaration.group, [declaration.screen]);
	const noRowReason = `no ${declaration.rowLabel} selected`;
	const getCurrentRow = (state: LedgeState): Row | undefined =>
		operations.getSelected(declaration.getSlice(state).data);
	function listTargetRows(state: LedgeState): readonly Row[] | undefined {
		const {data} = declaration.getSlice(state);
		const rows = data ? operations.listTargets(data) : [];
		return rows.length > 0 ? rows : undefined;
	}
	return {
		...operations,
		...declaration,
		isActive,
		/** Reason shown for an action when no row is selected. */
		noRowReason,
		getCurrentRow,
		defineAction: (...[id, keys, title, rest]: Parameters<typeof defineListAction>): Action =>
			defineListAction(id, keys, title, {isActive, ...rest}),
		/**
		 * Handlers of an action on the current row. `getRefusal` returns why it cannot be done on any row.
		 */
		withCurrentRow: (
			execute: (app: App, row: Row, data: NonNullable<Slice['data']>) => void,
			getRefusal?: (state: LedgeState) => string | undefined,
		) =>
			withSelection(
				getCurrentRow,
				noRowReason,
				(app, row) => {
					const {data} = declaration.getSlice(app.state());
					if (data) execute(app, row, data);
				},
				getRefusal,
			),
		/** Handlers of an action on the marked rows that are shown, or else on the current row. */
		withTargetRows: (
			execute: (app: App, rows: readonly Row[]) => void,
			getRefusal?: (state: LedgeState) => string | undefined,
		) =>
			withSelection(
				listTargetRows,
				noRowReason,
				execute,
				state =>
					getRefusal?.(state) ??
					(getCurrentRow(state) && !listTargetRows(state) ? hiddenMarksReason : undefined),
			),
	};
}

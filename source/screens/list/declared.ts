import type {LedgeState} from '../../store/ledge-store.ts';
import {actionsOf, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {Screen} from '../shell/screen-name.ts';
import {type ListRows, listOf} from './list.ts';

/** Members that every list slice has; `data` is undefined while nothing is open. */
export type ListMembers<State> = {
	readonly data: State | undefined;
	move(by: number): void;
	filter(text: string): void;
};

type Declaration<Row, Slice extends ListMembers<ListRows<Row>>> = {
	slice(state: LedgeState): Slice;
	readonly screen: Screen;
	/** Heading of the list's actions in the help. */
	readonly group: string;
	/** Prefix of the ids of its actions. */
	readonly id: string;
	/** Noun for one row, such as "rate limit". */
	readonly row: string;
	key(row: Row): unknown;
	/** Texts that the filter searches. */
	texts(row: Row): readonly (string | undefined)[];
	/** True while the list's actions apply; they always do if this is omitted. */
	isHere?(state: LedgeState): boolean;
};

export type DeclaredList<Row, Slice extends ListMembers<ListRows<Row>>> = ReturnType<
	typeof declareList<Row, Slice>
>;

/** Creates what the slice, screen, actions and view of a list share. */
export function declareList<Row, Slice extends ListMembers<ListRows<Row>>>({
	key,
	texts,
	isHere = () => true,
	...declared
}: Declaration<Row, Slice>) {
	const rows = listOf(key, texts);
	const action = actionsOf(declared.group, [declared.screen]);
	const none = `there is no ${declared.row} here`;
	const here = (state: LedgeState): Row | undefined => rows.selected(declared.slice(state).data);
	return {
		...rows,
		...declared,
		isHere,
		/** Reason shown for an action when no row is selected. */
		none,
		here,
		action: (...[id, keys, title, rest]: Parameters<typeof action>): Action =>
			action(id, keys, title, {isHere, ...rest}),
		/**
		 * Handlers of an action on the current row. `getRefusal` returns why it cannot be done on any row.
		 */
		onRow: (
			work: (app: App, row: Row, data: NonNullable<Slice['data']>) => void,
			refused?: (state: LedgeState) => string | undefined,
		) =>
			withFound(
				here,
				none,
				(app, row) => {
					const {data} = declared.slice(app.state());
					if (data) work(app, row, data);
				},
				refused,
			),
	};
}

import {type ChosenKeys, formatChosenKeys} from '../keys/chosen-keys.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import type {App} from '../shell/app.ts';
import {getCounterpartStore} from './other-store.ts';

type StoreQuestion = {
	/** "Copy", "Compare". */
	readonly verb: string;
	/** True if the store is written to, which excludes files. */
	readonly writesStore: boolean;
	/** Lines shown before the choices. */
	readonly lines: readonly string[];
	/** Called with the name of the store. */
	onChosen(name: string): void;
};

/** Asks for a store other than the open one: offers nearby ones, or any by name. */
export function askForStore(
	app: App,
	chosenKeys: ChosenKeys,
	{verb, writesStore, lines, onChosen}: StoreQuestion,
): void {
	const keys = app.state().keys.data;
	const {open} = app.state().dialog;
	const {checkStoreName} = app.state().paths;
	if (!keys) return;
	const {namespace} = keys;
	const title = `${verb} ${formatChosenKeys(chosenKeys, namespace.title)} ${writesStore ? 'into' : 'with'}`;
	const askForName = () =>
		open({
			kind: 'entry',
			title,
			lines: [
				`remote:TITLE, preview:BINDING, local:ID@FOLDER, simulated:TITLE${writesStore ? '' : ', file:PATH'}`,
			],
			value: '',
			actionLabel: verb.toLowerCase(),
			check: name => checkStoreName(name, {isDestination: writesStore}),
			submit: name => onChosen(name.trim()),
		});
	open({
		kind: 'choice',
		title,
		lines,
		choices: [
			...listNearbyStores(namespace).map(({name, title}) => ({value: name, label: title})),
			{value: '', label: 'another store, by name'},
		],
		choose: name => (name === '' ? askForName() : onChosen(name)),
	});
}

/** Lists the preview or production namespace of the same binding, and the local or remote counterpart. */
const listNearbyStores = (row: NamespaceRow): readonly {name: string; title: string}[] =>
	[row.pair, getCounterpartStore(row)].filter(one => one !== undefined);

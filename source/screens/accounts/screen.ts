import type {ScreenDefinition} from '../shell/screen.ts';
import {readAccounts} from './actions.ts';

export const accountsScreen: ScreenDefinition = {
	group: 'Accounts',
	called: 'the accounts',
	path: () => ['ledge', 'accounts'],
	actsOn: (_before, {namespaces}) => ({isLocal: namespaces.where === 'local'}),
	reload: readAccounts,
	move: (state, by) => state.moveInAccounts(by),
	filter: {text: ({accounts}) => accounts.filter, narrow: (state, text) => state.filterAccounts(text)},
};

import type {ScreenDefinition} from '../shell/screen.ts';
import {reloadHome} from './actions.ts';

export const homeScreen: ScreenDefinition = {
	buildPath: () => ['ledge'],
	getTarget: (_before, {namespaces: {data: namespaces}}) => ({isLocal: namespaces.shownStorage === 'local'}),
	reload: app => void reloadHome(app),
	handleEscape: (_app, hasStoppedReads) => hasStoppedReads,
};

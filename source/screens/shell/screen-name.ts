import type {StateWith} from '../../store/ledge-store.ts';

/** The name of a screen; the definitions are in store/screens.ts. */
export type Screen =
	| 'home'
	| 'namespaces'
	| 'metrics'
	| 'keys'
	| 'key'
	| 'editor'
	| 'review'
	| 'bulk'
	| 'transfer'
	| 'compare'
	| 'search'
	| 'stats'
	| 'zones'
	| 'contexts'
	| 'customRules'
	| 'customRule'
	| 'managed'
	| 'leftBehind'
	| 'firewall'
	| 'events'
	| 'catalogue'
	| 'versions'
	| 'rateLimits'
	| 'rateLimit'
	| 'ipLists'
	| 'ipListItems'
	| 'merge'
	| 'wizard'
	| 'emergency'
	| 'migration'
	| 'validation'
	| 'jobs'
	| 'activity';

/** Formats the name of a screen for users: `custom-rules` for `customRules`. */
export const formatScreenName = (screen: string): string =>
	screen.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

export const getCurrentScreen = ({navigation: {stack}}: StateWith<'navigation', 'stack'>): Screen =>
	stack.at(-1) ?? 'home';

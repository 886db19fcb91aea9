import type {JsonObject} from '../../text/json.ts';
import type {Collection, ResourceOwner} from '../world/resources.ts';

/** Returns the overrides of a zone. */
export const getStoredOverrides = ({resources}: ResourceOwner, zoneId: string): Collection<JsonObject> =>
	resources.getCollection('waf-override', zoneId);

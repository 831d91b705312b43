import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { MAX_ASSET_BYTES } from '../platform/wire/limits.ts';
import {
  AssetFile,
  AssetId,
  AssetPage,
  AssetRecord,
  CreateAsset,
  createAsset,
  deleteAsset,
  getAsset,
  ListAssets,
  listAssets,
  MAX_ASSET_BODY_BYTES,
  UploadAsset,
  uploadAsset,
} from '../portal/assets/asset.ts';

/** Files that affiliates can download in the portal. */
export const assetsRouter = router({
  list: rest(read('campaigns'), 'GET /assets', {
    summary: 'List assets',
    description: 'Returns the files that affiliates can download in their portal, newest first, without their contents.',
  })
    .input(ListAssets)
    .output(AssetPage)
    .query(({ ctx, input }) => listAssets(ctx, input)),

  get: rest(read('campaigns'), 'GET /assets/{id}', {
    summary: 'Retrieve an asset',
    description: 'Includes the address of the file in `download_url`.',
  })
    .input(AssetId)
    .output(AssetFile)
    .query(({ ctx, input }) => getAsset(ctx, input)),

  create: rest(write('campaigns', CreateAsset), 'POST /assets', {
    summary: 'Create an asset',
    description:
      'Makes a file available to all affiliates, e.g. a banner or a text: PNG, JPEG, WebP, GIF, SVG, MP4, PDF, ZIP or text of at most 5 MiB. The type is detected from the content, and the extension of `name` must match it. An account can have at most 50 assets.',
    status: 201,
  })
    .meta({ maxBodyBytes: MAX_ASSET_BODY_BYTES })
    .output(AssetRecord)
    .mutation(({ ctx, input }) => createAsset(ctx, input)),

  upload: rest(write('campaigns', UploadAsset), 'POST /assets/upload', {
    summary: 'Upload an asset',
    description:
      'Does the same as creating an asset, but takes the bytes of the file as the body of the request, e.g. `curl --data-binary @banner.txt -H "Content-Type: text/plain"`. Four files of an account can arrive at the same time.',
    status: 201,
  })
    .meta({ maxUploadBytes: MAX_ASSET_BYTES })
    .output(AssetRecord)
    .mutation(({ ctx, input }) => uploadAsset(ctx, input)),

  delete: rest(write('campaigns', AssetId), 'DELETE /assets/{id}', {
    summary: 'Delete an asset',
    description: 'Cannot be undone.',
    status: 204,
  })
    .output(AssetRecord)
    .mutation(({ ctx, input }) => deleteAsset(ctx, input)),
});

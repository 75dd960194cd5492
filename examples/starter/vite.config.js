// The page calls /api on its own origin; the dev server adds the key and forwards to the mock, or to the service that the variables name.
const { WM_BASE_URL, WM_API_KEY_WRITE } = process.env;

export default {
  server: {
    proxy: {
      '/api': {
        target: WM_BASE_URL,
        changeOrigin: true,
        rewrite: (path) => path.replace(/^\/api/, ''),
        headers: { authorization: `Bearer ${WM_API_KEY_WRITE}` },
      },
    },
  },
};

// One NiiVue canvas: a base image and at most one overlay.
import { Niivue, NVImage, SLICE_TYPE, SHOW_RENDER, MULTIPLANAR_TYPE, cmapper } from "@niivue/niivue";
import { labelMap, maps } from "./colours.js";
import { makeNifti } from "./volumes.js";

const layouts = {
  all: SLICE_TYPE.MULTIPLANAR,
  axial: SLICE_TYPE.AXIAL,
  coronal: SLICE_TYPE.CORONAL,
  sagittal: SLICE_TYPE.SAGITTAL,
  render: SLICE_TYPE.RENDER,
};

export class Scene {
  static async create(canvas, onMove) {
    const nv = new Niivue({
      backColor: [0, 0, 0, 1],
      crosshairColor: [1, 0.82, 0.25, 0.9],
      crosshairWidth: 0.7,
      crosshairWidthUnit: "percent",
      crosshairGap: 0,
      fontColor: [0.85, 0.87, 0.9, 1],
      show3Dcrosshair: true,
      isRadiologicalConvention: true,
      sagittalNoseLeft: true,
      multiplanarShowRender: SHOW_RENDER.ALWAYS,
      multiplanarLayout: MULTIPLANAR_TYPE.GRID,
      multiplanarPadPixels: 4,
      tileMargin: 0,
      showLegend: false,
      isColorbar: false,
      dragAndDropEnabled: false,
      loadingText: "",
      logLevel: "error",
      scrollRequiresFocus: true,
    });
    nv.onLocationChange = onMove;
    await nv.attachToCanvas(canvas);
    for (const [name, map] of Object.entries(maps)) nv.addColormap(name, map);
    return new Scene(nv);
  }

  constructor(nv) {
    this.nv = nv;
  }

  // base: {values, low, high}; overlay: the same with type and colormap, or labels, or null.
  async show(run, base, overlay, opacity) {
    const images = [await NVImage.new(makeNifti(run, "uint8", base.values), "base.nii", "gray", 1, null, base.low ?? 0, base.high ?? 255)];
    if (overlay) {
      const file = makeNifti(run, overlay.type, overlay.values);
      const image = await NVImage.new(file, "overlay.nii", overlay.colormap ?? "gray", opacity, null, overlay.low ?? 0, overlay.high ?? 1);
      if (overlay.labels) {
        image.colormapLabel = cmapper.makeLabelLut(labelMap(overlay.labels, overlay.hidden));
      } else {
        image.cal_min = overlay.low;
        image.cal_max = overlay.high;
      }
      images.push(image);
    }
    for (const old of [...this.nv.volumes]) this.nv.removeVolume(old);
    for (const image of images) this.nv.addVolume(image);
  }

  setOpacity(opacity) {
    if (this.nv.volumes.length > 1) this.nv.setOpacity(1, opacity);
  }

  setHidden(labels, hidden) {
    if (this.nv.volumes.length < 2 || !this.nv.volumes[1].colormapLabel) return;
    this.nv.volumes[1].colormapLabel = cmapper.makeLabelLut(labelMap(labels, hidden));
    this.nv.updateGLVolume();
  }

  setLayout(name) {
    this.nv.setSliceType(layouts[name]);
  }

  link(other) {
    this.nv.broadcastTo([other.nv], { "2d": true, "3d": true });
    other.nv.broadcastTo([this.nv], { "2d": true, "3d": true });
  }
}
